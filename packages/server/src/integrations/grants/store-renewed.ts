import type { Store } from '../../store/store.ts'
import { noteSuccess } from '../health/health-rows.ts'
import { storeRefreshed } from './credential-rows.ts'
import type { GrantLog, RenewedGrant } from './grant-log.ts'

/** Lists what storing renewed grants needs. */
export interface StoreRenewedDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly grantLog: GrantLog
  readonly now: () => Date
}

/**
 * Moves a renewed grant from the log into the database. Drops one that another connection or the end of the integration has
 * overtaken. Safe to repeat.
 *
 * @throws {Problem} `db_unavailable`, `storage_full`, `read_only`: the grant stays in the log.
 */
export async function storeRenewed(
  { store, grantLog, now }: StoreRenewedDeps,
  renewed: RenewedGrant,
): Promise<void> {
  const { orgId, integrationId: id } = renewed
  await store.transaction({ orgId }, async (tx) => {
    const isStored = await storeRefreshed(tx, renewed, renewed, now())
    if (isStored) await noteSuccess(tx, { orgId, id }, now())
  })
  await grantLog.forget(renewed)
}

/** Stores the grants that an earlier process could not store, and returns how many. Called at the start, once the database answers. */
export async function recoverRenewed(deps: StoreRenewedDeps): Promise<number> {
  const left = deps.grantLog.list()
  for (const renewed of left) await storeRenewed(deps, renewed)
  return left.length
}
