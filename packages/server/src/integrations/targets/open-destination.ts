import { findDestination } from '../../providers/find-provider.ts'
import type { TargetApi, TargetDescriptor } from '../../providers/target.ts'
import {
  readPublishedValues,
  type PublishedValues,
} from '../../configs/publication/read-published.ts'
import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import { listNameRows } from './name-rows.ts'
import type { KnownName } from './plan-names.ts'
import type { TargetDeps } from './target-deps.ts'
import { digestContext, tokenContext, type LedgerName, type SealedTarget } from './target.ts'

/** Holds what the database knows of a target: what to write, what was written, and the token. */
export interface TargetSource {
  readonly target: SealedTarget
  readonly descriptor: TargetDescriptor
  readonly token: string | undefined
  /** `undefined`: the schema or the environment was deleted. */
  readonly published: PublishedValues | undefined
  readonly ledger: readonly KnownName[]
  readonly sealer: Sealer
}

/** Reads everything that a plan or a run of a target needs, by one transaction. */
export async function readSource(
  { keys }: Pick<TargetDeps, 'keys'>,
  tx: Tx,
  orgId: string,
  target: SealedTarget,
): Promise<TargetSource> {
  const { id, schemaId, environmentId, sealedToken } = target
  const sealer = await keys.getSealer(tx, orgId)
  const rows = await listNameRows(tx, orgId, id)
  return {
    target,
    descriptor: requireDescriptor(target.provider),
    token:
      sealedToken === null
        ? undefined
        : sealer.open(tokenContext(orgId, id), sealedToken).toString('utf8'),
    published: await readPublishedValues(tx, sealer, { orgId, schemaId, environmentId }),
    ledger: rows.map((row) => toKnown(sealer, digestContext(orgId, id, row.slot), row)),
    sealer,
  }
}

function toKnown(sealer: Sealer, context: string, { sealedDigest, ...row }: LedgerName): KnownName {
  const digest = sealedDigest === null ? null : sealer.open(context, sealedDigest).toString('utf8')
  return { ...row, digest }
}

/** Returns how a provider is written to. @throws {Error} when this version does not have it any more. */
export function requireDescriptor(provider: string): TargetDescriptor {
  const destination = findDestination(provider)
  if (destination === undefined) throw new Error(`This version writes nothing to ${provider}`)
  return destination.target
}

/** Opens the destination of a target. @throws {Problem} `integration_not_connected`, `reauth_required` */
export async function openDestination(
  { openTarget }: Pick<TargetDeps, 'openTarget'>,
  orgId: string,
  { target, token }: Pick<TargetSource, 'target' | 'token'>,
): Promise<TargetApi> {
  const calls = await openTarget({ orgId, provider: target.provider, token })
  return calls.open({ data: target.addressData })
}
