import {
  recordPullRequest,
  type ReportedPullRequest,
} from '../deployments/pull-requests/record-pull-request.ts'
import type { Store } from '../store/store.ts'
import type { CheckDeps } from './check-deps.ts'
import { addDue } from './due-rows.ts'

/**
 * Records what a code host says of a pull request. Its checks open and close with it at the next comparison, which is due now.
 * Returns whether anything has changed.
 */
export async function recordPullRequestEvent(
  { store, now }: Pick<CheckDeps, 'now'> & { readonly store: Pick<Store, 'transaction'> },
  orgId: string,
  reported: ReportedPullRequest,
): Promise<boolean> {
  return store.transaction({ orgId }, async (tx) => {
    if ((await recordPullRequest(tx, orgId, reported)) === undefined) return false
    await addDue(tx, orgId, now())
    return true
  })
}
