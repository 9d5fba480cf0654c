import { Problem } from '@signalbox/contract'
import { isUsable } from '../../integrations/integration.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { FoundIssue, TrackerApi, TrackerIssue } from '../../providers/tracker.ts'
import type { Tx } from '../../store/store.ts'
import type { DeploymentDeps } from '../deployment-deps.ts'
import { emitChanges } from '../reports/emit-changes.ts'
import type { IssueDeps } from './enrich-issues.ts'
import {
  listKeysToReconcile,
  listRecordedKeys,
  markRecordedKeysAsked,
  type RecentDeployments,
  type RecordedKey,
} from './reconcile-rows.ts'
import { issuesOf, recordIssues } from './record-issues.ts'
import { upsertIssues } from './tracked-issue-rows.ts'

/** Limits the keys that a round asks for: a few calls of a tracker, which takes fifty to a hundred keys at a time. */
export const keysMax = 200
/** Limits the deployments whose issues are read again: those that people look at. */
const [recentMs, deploymentsMax] = [30 * 86_400_000, 500]
/** Leaves out what was asked for a little while ago, by a webhook or for a deployment. */
const freshMs = 60 * 60_000
/** Limits the deployments of a round whose messages follow: the newest that show something else. */
const followedMax = 200

/** Describes the answer of a tracker. */
export interface Answer extends Pick<TrackerApi, 'siteId'> {
  readonly lookups: readonly FoundIssue[]
}

/**
 * Reads again what the tracker shows for the keys that recent deployments name, those read longest ago first, and
 * records differences as a webhook would have, which makes up for lost webhooks. Safe to repeat. A tracker that does
 * not answer is asked again in the next round; its connection shows the reason.
 */
export async function reconcileIssues(
  deps: IssueDeps,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<void> {
  const startedAt = deps.now()
  const recent = recentAt(startedAt)
  const keys = await deps.store.transaction({ orgId }, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind: 'tracker' })
    if (integration?.id !== id || !isUsable(integration)) return []
    const readBefore = new Date(startedAt.getTime() - freshMs)
    return listKeysToReconcile(tx, orgId, { ...recent, readBefore, keysMax })
  })
  if (keys.length === 0) return
  const answer = await ask(deps, orgId, keys)
  if (answer !== undefined) await recordAnswer(deps, orgId, { keys, recent, answer })
}

/** Returns which deployments are recent at a moment: those that people look at. */
export function recentAt(at: Date): RecentDeployments {
  return { since: new Date(at.getTime() - recentMs), limit: deploymentsMax }
}

/**
 * Stores what the tracker shows for keys of recent deployments, with the events of what differs. Returns how many of the keys differ.
 * Safe to repeat.
 */
export async function recordAnswer(
  deps: DeploymentDeps,
  orgId: string,
  of: {
    readonly keys: readonly string[]
    readonly recent: RecentDeployments
    readonly answer: Answer
  },
): Promise<number> {
  const { keys, recent, answer } = of
  const { otherwiseLinked, changed } = await deps.store.transaction({ orgId }, async (tx) =>
    recordShown(deps, tx, orgId, { rows: await listRecordedKeys(tx, orgId, keys, recent), answer }),
  )
  for (const [deploymentId, lookups] of otherwiseLinked.slice(0, followedMax)) {
    await recordIssues(deps, { orgId, deploymentId, siteId: answer.siteId, lookups })
  }
  const linked = otherwiseLinked.flatMap(([, lookups]) => lookups.map(({ key }) => key))
  return new Set([...changed, ...linked]).size
}

interface Difference {
  /** Lists the deployments of which a key means another issue, or none, by now. */
  readonly otherwiseLinked: readonly (readonly [
    deploymentId: string,
    lookups: readonly FoundIssue[],
  ])[]
  /** Lists the keys whose issue is shown otherwise. */
  readonly changed: readonly string[]
}

/** Stores issues as they are shown, with the events of the deployments that showed them otherwise. */
async function recordShown(
  deps: DeploymentDeps,
  tx: Tx,
  orgId: string,
  { rows, answer }: { readonly rows: readonly RecordedKey[]; readonly answer: Answer },
): Promise<Difference> {
  const { siteId, lookups } = answer
  const at = deps.now()
  const lookupOf = new Map(lookups.map((one) => [one.key, one]))
  const otherwiseLinked = new Map<string, FoundIssue[]>()
  const changed: RecordedKey[] = []
  const absent = new Map<string, RecordedKey>()
  for (const row of rows) {
    const lookup = lookupOf.get(row.key)
    if (lookup === undefined) continue
    if (!('issue' in lookup) && !absent.has(row.key)) absent.set(row.key, row)
    if (isLinkedOtherwise(row, siteId, lookup)) {
      const { deploymentId } = row
      otherwiseLinked.set(deploymentId, [...(otherwiseLinked.get(deploymentId) ?? []), lookup])
    } else if ('issue' in lookup && !isSameIssue(row.issue, lookup.issue)) changed.push(row)
  }
  const followed = changed.slice(0, followedMax)
  await upsertIssues(tx, orgId, { siteId, issues: issuesOf(lookups) }, at)
  await markRecordedKeysAsked(tx, orgId, [...followed, ...absent.values()], at)
  const ids = [...new Set(followed.map(({ deploymentId }) => deploymentId))]
  if (ids.length > 0) await emitChanges(deps, tx, orgId, { event: 'issues.changed', ids })
  return { otherwiseLinked: [...otherwiseLinked], changed: changed.map(({ key }) => key) }
}

async function ask(
  { openTracker }: IssueDeps,
  orgId: string,
  keys: readonly string[],
): Promise<Answer | undefined> {
  try {
    const tracker = await openTracker(orgId)
    return { siteId: tracker.siteId, lookups: await tracker.findIssues(keys) }
  } catch (error) {
    if (error instanceof Problem || error instanceof ProviderError) return undefined
    throw error
  }
}

/** Returns whether a key of a deployment means another issue by now, or none, or one where it meant none. */
function isLinkedOtherwise(row: RecordedKey, siteId: string, lookup: FoundIssue): boolean {
  if ('issue' in lookup) {
    const isLinked = row.state === 'linked' || row.state === 'reverted'
    const isSame = row.siteId === siteId && row.issue?.externalId === lookup.issue.externalId
    return !isLinked || !isSame
  }
  // A reverted key stays reverted. An issue that the tracker has hidden since is reported once.
  if (row.state === 'reverted' || row.state === 'forbidden') return false
  return row.state !== 'not_found' || lookup.outcome !== 'absent'
}

const shownFields = [
  'externalId',
  'key',
  'title',
  'type',
  'status',
  'statusCategory',
  'assignee',
  'priority',
  'url',
] as const satisfies readonly (keyof TrackerIssue)[]

function isSameIssue(stored: TrackerIssue | null, current: TrackerIssue): boolean {
  return stored !== null && shownFields.every((field) => stored[field] === current[field])
}
