import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import type { DeadJobRow } from './dead-job.ts'
import { pageDeadJobs, type DeadJobPosition } from './rows.ts'

/** Describes a page of failed jobs. */
export interface ListDeadJobs {
  readonly after: DeadJobPosition | undefined
  readonly limit: number
}

/** Lists the failed jobs of an organization, newest first, one more than `limit` when there are more. */
export async function listDeadJobs(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  scope: Scope,
  { orgId, after, limit }: ListDeadJobs & { readonly orgId: string },
): Promise<DeadJobRow[]> {
  return store.transaction(scope, (tx) => pageDeadJobs(tx, orgId, { after, limit: limit + 1 }))
}

/** Lists the failed jobs of the server itself: no request of an organization sees them. */
export async function listServerDeadJobs(
  { store }: { readonly store: Pick<Store, 'maintenance'> },
  { after, limit }: ListDeadJobs,
): Promise<DeadJobRow[]> {
  return store.maintenance((tx) => pageDeadJobs(tx, null, { after, limit: limit + 1 }))
}
