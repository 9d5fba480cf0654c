import { recentAt, recordAnswer } from '../issues/reconcile-issues.ts'
import { pageRecentKeys } from '../issues/reconcile-rows.ts'
import { closeKind, countDone, setTotal, type Sync } from './sync.ts'
import { keepSync, type SyncSlice } from './sync-work.ts'

/** Limits the keys that a step asks for, so that a person sees the progress move. */
const keysMax = 50

/** Reads the next issues that recent deployments name, and records what differs as a webhook would have. Ends the sync after the last. */
export async function syncIssues({ deps, orgId }: SyncSlice, sync: Sync): Promise<Sync> {
  const { cursor, startedAt } = sync
  const recent = recentAt(startedAt)
  const { keys, left } = await deps.store.transaction({ orgId }, (tx) =>
    pageRecentKeys(tx, orgId, { ...recent, after: cursor.after, keysMax }),
  )
  const keep = (next: Partial<Sync>) =>
    deps.store.transaction({ orgId }, (tx) => keepSync(tx, orgId, { ...sync, ...next }))
  const last = keys.at(-1)
  if (last === undefined) {
    const progress = closeKind(sync.progress, 'issues')
    return keep({ progress, state: 'done', finishedAt: deps.now() })
  }
  // People see of how many before the tracker answers.
  if (sync.progress.issues.total === null) {
    return keep({ progress: setTotal(sync.progress, 'issues', left) })
  }
  const tracker = await deps.openTracker(orgId)
  const answer = { siteId: tracker.siteId, lookups: await tracker.findIssues(keys) }
  const changed = await recordAnswer(deps, orgId, { keys, recent, answer })
  const progress = countDone(sync.progress, 'issues', keys.length)
  return keep({
    progress: { ...progress, changedIssues: progress.changedIssues + changed },
    cursor: { ...cursor, after: last },
  })
}
