import { takeRandomBytes } from '../../crypto/random.ts'
import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import type { RequestedOperation } from '@signalbox/contract/rest'
import type { Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { keepEffects, recordChanges } from './keep-effects.ts'
import { runOperation } from './operations.ts'
import { listSealedRows } from './request-rows.ts'
import type { KeptEffect } from './request.ts'

/** Holds what a request does, with what only the server knows of it. */
export interface WholeOperation {
  readonly operation: RequestedOperation
  /** Makes the marks of its secrets. */
  readonly markKey: Buffer
}

/** Returns an operation with a new key for the marks of its secrets. */
export function toWhole(operation: RequestedOperation): WholeOperation {
  return { operation, markKey: takeRandomBytes(32) }
}

function addressOf(orgId: string, requestId: string, revision: number): string {
  return `${orgId}|change_request_revisions|${requestId}|${revision}`
}

/** Names a revision of a request. */
interface RevisionOf {
  readonly orgId: string
  readonly requestId: string
  readonly revision: number
}

/** Seals what a revision does. */
export function sealOperation(
  sealer: Sealer,
  { orgId, requestId, revision }: RevisionOf,
  { operation, markKey }: WholeOperation,
): Buffer {
  const text = JSON.stringify({ operation, markKey: markKey.toString('base64') })
  return sealer.seal(addressOf(orgId, requestId, revision), text)
}

/** Opens what the newest revisions of requests do, by the id of the request. One that has ended is left out. */
export async function openOperations(
  { keys }: Pick<ConfigDeps, 'keys'>,
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WholeOperation>> {
  const sealer = await keys.getSealer(tx, orgId)
  const rows = await listSealedRows(tx, orgId, ids)
  return new Map(
    rows.flatMap(({ requestId, revision, sealed }) => {
      if (sealed === null) return []
      const text = sealer.open(addressOf(orgId, requestId, revision), sealed).toString()
      const stored: { readonly operation: RequestedOperation; readonly markKey: string } =
        JSON.parse(text)
      const { operation, markKey } = stored
      return [[requestId, { operation, markKey: Buffer.from(markKey, 'base64') }] as const]
    }),
  )
}

/** Carries the effects of an operation out of the transaction that they undo. */
class Planned extends Error {
  override readonly name = 'Planned'
  readonly effects: readonly KeptEffect[]

  constructor(effects: readonly KeptEffect[]) {
    super('The operation was planned.')
    this.effects = effects
  }
}

interface PlanRequest {
  readonly whole: WholeOperation
  readonly authorizeReveal: () => void
  /** Lists who has written the request. Left out: nobody but the caller. */
  readonly writerIds?: readonly string[]
}

/**
 * Returns what an operation would change now: carries it out by the use cases that do it at once, and rolls all of it back.
 *
 * @throws {Problem} what the operation is refused with
 */
export async function planRequest(
  deps: ConfigDeps,
  caller: Caller,
  { whole, authorizeReveal }: PlanRequest,
): Promise<readonly KeptEffect[]> {
  const { idempotency: _key, ...scope } = caller.scope
  try {
    return await deps.store.transaction(scope, async (tx) => {
      const { effects } = await runRecorded(
        deps,
        tx,
        { ...caller, scope },
        { whole, authorizeReveal },
      )
      throw new Planned(effects)
    })
  } catch (error) {
    if (error instanceof Planned) return error.effects
    throw error
  }
}

/** Carries out an operation in an open transaction, and returns what it changes and the versions that it makes. */
export async function runRecorded(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { whole, authorizeReveal, writerIds = [] }: PlanRequest,
) {
  const recorder = recordChanges(writerIds)
  const { approvalCheck, versions } = recorder
  const run = { deps: { ...deps, approvalCheck }, caller, authorizeReveal }
  await runOperation(run, tx, whole.operation)
  const { orgId } = caller
  const sealer = await deps.keys.getSealer(tx, orgId)
  const effects = keepEffects({ sealer, orgId, markKey: whole.markKey }, recorder)
  return { effects, versions, policies: recorder.policies() }
}
