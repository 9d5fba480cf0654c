import { joinProofs, type ProofTerms } from '@signalbox/contract'
import { describeWatches, type NameOf } from '../proofs/describe-terms.ts'
import type { Environment } from '../configs/environments.ts'
import type { ChangeRequest } from './describe-request.ts'

/** Returns what an operation says about how its change is watched; that of several is the stricter one in each member. */
export function readProve(operation: unknown): ProofTerms | null {
  if (!isRecord(operation)) return null
  const { body, operations } = operation
  const parts = Array.isArray(operations) ? operations.map(readProve) : []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server answers the operation as it takes it
  const own = isRecord(body) && isRecord(body['prove']) ? (body['prove'] as never) : null
  return [...parts, own].reduce(joinProofs, null)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Returns the sentences about how the values of a request are watched once they are live: by the environments, and by its own terms. */
export function describeRequestWatches(
  {
    operation,
    effects,
  }: Pick<ChangeRequest, 'operation'> & {
    readonly effects: readonly Pick<ChangeRequest['effects'][number], 'environmentId' | 'key'>[]
  },
  environments: readonly Pick<Environment, 'id' | 'name' | 'protection'>[],
  nameOf: NameOf,
): readonly string[] {
  const changed = new Set(
    effects.filter(({ key }) => key !== null).map(({ environmentId }) => environmentId),
  )
  const affected = environments.filter(({ id }) => changed.has(id))
  return describeWatches(affected, readProve(operation), nameOf)
}
