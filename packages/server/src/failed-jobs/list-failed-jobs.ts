import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import type { FailedJobRow } from './failed-job.ts'
import { pageFailedJobs, type FailedJobPosition } from './rows.ts'

/** Describes a page of failed jobs. */
export interface ListFailedJobs {
  readonly after: FailedJobPosition | undefined
  readonly limit: number
}

/** Lists the failed jobs of an organization, newest first, one more than `limit` when there are more. */
export async function listFailedJobs(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  scope: Scope,
  { orgId, after, limit }: ListFailedJobs & { readonly orgId: string },
): Promise<FailedJobRow[]> {
  return store.transaction(scope, (tx) => pageFailedJobs(tx, orgId, { after, limit: limit + 1 }))
}

/** Lists the failed jobs of the server itself: no request of an organization sees them. */
export async function listServerFailedJobs(
  { store }: { readonly store: Pick<Store, 'maintenance'> },
  { after, limit }: ListFailedJobs,
): Promise<FailedJobRow[]> {
  return store.maintenance((tx) => pageFailedJobs(tx, null, { after, limit: limit + 1 }))
}
