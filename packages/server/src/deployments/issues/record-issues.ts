import type { FoundIssue, TrackerIssue } from '../../providers/tracker.ts'
import type { DeploymentDeps } from '../deployment-deps.ts'
import { emitChanges } from '../reports/emit-changes.ts'
import {
  listDeploymentIssueRows,
  markIssuesAsked,
  writeDeploymentIssueRows,
  type DeploymentIssueRow,
} from './issue-rows.ts'
import { listKnownKeys, upsertIssues } from './tracked-issue-rows.ts'
import { lockRepositoryOf } from '../codehost/repository-rows.ts'

/** Describes the answer of a tracker that is recorded. */
export interface RecordIssues {
  readonly orgId: string
  readonly deploymentId: string
  /** The tracker's site: the same issue numbers mean others elsewhere. */
  readonly siteId: string
  /** The outcome of each key that was looked up. */
  readonly lookups: readonly FoundIssue[]
}

const absentReason = 'The tracker shows no such issue to this integration.'
/** Says why a key was not found: the tracker has no such project. */
export const noProjectReason = 'The tracker shows no project of this key.'
const forbiddenReason =
  'The tracker no longer shows the issue: it was deleted, or this integration may not see it.'

/**
 * Links the keys of a deployment to the issues that the tracker has for them. Returns the keys that changed. Safe to repeat.
 */
export async function recordIssues(
  deps: DeploymentDeps,
  { orgId, deploymentId, siteId, lookups }: RecordIssues,
): Promise<readonly string[]> {
  const { store, now } = deps
  return store.transaction({ orgId }, async (tx) => {
    if ((await lockRepositoryOf(tx, orgId, deploymentId)) === undefined) return []
    const rows = await listDeploymentIssueRows(tx, orgId, deploymentId)
    const outcomes = new Map(lookups.map((one) => [one.key, one]))
    const absent = lookups.filter((one) => !('issue' in one)).map(({ key }) => key)
    const issues = await upsertIssues(tx, orgId, { siteId, issues: issuesOf(lookups) }, now())
    const known = await listKnownKeys(tx, orgId, { siteId, keys: absent })
    const idOf = new Map(issues.map(({ externalId, id }) => [externalId, id]))
    const formerOf = new Map(known.map(({ key, id }) => [key, id]))
    const changed = rows.flatMap((row) => {
      const outcome = outcomes.get(row.key)
      if (outcome === undefined) return []
      const linked =
        'issue' in outcome
          ? link(row, idOf.get(outcome.issue.externalId) ?? row.issueId)
          : unlink(row, outcome, formerOf.get(row.key) ?? row.issueId)
      return isSame(row, linked) ? [] : [linked]
    })
    await writeDeploymentIssueRows(tx, orgId, deploymentId, { rows: changed, at: now() })
    const asking = { keys: lookups.map(({ key }) => key), at: now() }
    await markIssuesAsked(tx, orgId, deploymentId, asking)
    // A title or a status may have changed although no link did.
    if (changed.length + issues.length > 0) {
      await emitChanges(deps, tx, orgId, { event: 'issues.changed', ids: [deploymentId] })
    }
    return changed.map(({ key }) => key)
  })
}

/** Lists the issues of an answer, each once: two keys may name the same one, where it was moved. */
export function issuesOf(lookups: readonly FoundIssue[]): TrackerIssue[] {
  const issues = lookups.flatMap((one) => ('issue' in one ? [one.issue] : []))
  return [...new Map(issues.map((issue) => [issue.externalId, issue])).values()]
}

function link(row: DeploymentIssueRow, issueId: string | null): DeploymentIssueRow {
  if (row.state === 'reverted') return { ...row, issueId }
  return { ...row, issueId, state: 'linked', reason: null }
}

function unlink(
  row: DeploymentIssueRow,
  { outcome, reason }: Exclude<FoundIssue, { readonly issue: TrackerIssue }>,
  issueId: string | null,
): DeploymentIssueRow {
  if (row.state === 'reverted') return { ...row, issueId }
  if (issueId !== null) return { ...row, issueId, state: 'forbidden', reason: forbiddenReason }
  return outcome === 'absent'
    ? { ...row, state: 'not_found', reason: reason ?? absentReason }
    : { ...row, state: 'ignored', reason: reason ?? noProjectReason }
}

function isSame(a: DeploymentIssueRow, b: DeploymentIssueRow): boolean {
  return a.state === b.state && a.issueId === b.issueId && a.reason === b.reason
}
