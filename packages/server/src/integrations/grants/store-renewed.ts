import type { Store } from '../../store/store.ts'
import { storeRefreshed } from './credential-rows.ts'
import type { GrantSpool, RenewedGrant } from './grant-spool.ts'

/** Lists what storing renewed grants needs. */
export interface StoreRenewedDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly spool: GrantSpool
  readonly now: () => Date
}

/**
 * Brings a renewed grant from the spool into the database. One that was overtaken, by another connection or the end of the
 * integration, is forgotten. Safe to repeat.
 *
 * @throws {Problem} `db_unavailable`, `storage_full`, `read_only`: it stays in the spool.
 */
export async function storeRenewed(
  { store, spool, now }: StoreRenewedDeps,
  renewed: RenewedGrant,
): Promise<void> {
  await store.transaction({ orgId: renewed.orgId }, (tx) =>
    storeRefreshed(tx, renewed, renewed, now()),
  )
  await spool.forget(renewed)
}

/** Stores what a process before this one could not. Called at the start, once the database answers. Answers how many. */
export async function recoverRenewed(deps: StoreRenewedDeps): Promise<number> {
  const left = deps.spool.list()
  for (const renewed of left) await storeRenewed(deps, renewed)
  return left.length
}
