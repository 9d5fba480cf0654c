import type { TrackerEvent } from '../../providers/tracker-event.ts'
import type { IssueDeps } from './enrich-issues.ts'
import { listNamingDeployments } from './issue-rows.ts'
import { recordIssues } from './record-issues.ts'

/** Limits the deployments whose messages follow a change of one issue: the newest that name it. */
const deploymentsMax = 50

/** Says what came of the change of an issue. */
export type IssueChangeOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'ignored'; readonly reason: string }

/**
 * Shows a changed issue on the deployments that name it. The tracker is asked what the issue is now, because events come late and out
 * of order, and only for issues that a deployment names. Safe to repeat.
 *
 * @throws {ProviderError} when the tracker does not answer: again later.
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export async function recordIssueChange(
  deps: IssueDeps,
  { orgId }: { readonly orgId: string },
  { key, externalId }: Extract<TrackerEvent, { readonly type: 'issueChanged' }>,
): Promise<IssueChangeOutcome> {
  const issue = { key, externalId, limit: deploymentsMax }
  const named = await deps.store.transaction({ orgId }, (tx) =>
    listNamingDeployments(tx, orgId, issue),
  )
  if (named.length === 0) {
    return { outcome: 'ignored', reason: 'No deployment names this issue.' }
  }
  const tracker = await deps.openTracker(orgId)
  const { siteId } = tracker
  const answers = await tracker.findIssues([...new Set(named.map((row) => row.key))])
  for (const deploymentId of new Set(named.map((row) => row.deploymentId))) {
    const keys = new Set(
      named.filter((row) => row.deploymentId === deploymentId).map((row) => row.key),
    )
    const lookups = answers.filter((one) => keys.has(one.key))
    await recordIssues(deps, { orgId, deploymentId, siteId, lookups })
  }
  return { outcome: 'done' }
}
