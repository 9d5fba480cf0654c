import type { RestrictedCaller } from '../../audit/caller.ts'
import { askProvider } from '../../integrations/grants/ask-provider.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { FoundIssue, KeyRepository, TrackerIssue } from '../../providers/tracker.ts'
import { findRecordedDeploymentById } from '../reports/deployment-rows.ts'
import { readDeploymentSettings } from '../codehost/integration-settings.ts'
import { findIssueKeys, isTakenBack, type FoundKeys, type IssueText } from './issue-keys.ts'
import { takenBackReason } from './merge-issue-keys.ts'
import { recordIssueKeys } from './record-issue-keys.ts'
import { noProjectReason, recordIssues } from './record-issues.ts'
import { lockRepositoryOf } from '../codehost/repository-rows.ts'
import type { TrackerDeps } from './tracker-deps.ts'

/** Describes commit messages whose issues are looked up. */
export interface EnrichMessages {
  /** Oldest first. */
  readonly commitMessages: readonly string[]
  /** Names the deployment that the result is recorded for. */
  readonly deploymentId?: string | undefined
  /** The name of the repository that the messages are of. Left out: that of the deployment. */
  readonly repository?: string | undefined
}

/** Describes the issues that commit messages name. */
export interface EnrichedMessages {
  /** Issue keys that count, as the messages name them. */
  readonly keys: readonly string[]
  /** Each once, under its key of today. */
  readonly issues: readonly TrackerIssue[]
  /** Those of `keys` that the tracker does not show. */
  readonly notFound: readonly string[]
  readonly ignored: FoundKeys['ignored']
  /** Keys beyond the limit, which the tracker was not asked for. */
  readonly notLookedUp: FoundKeys['notLookedUp']
}

/**
 * Looks up the issues that commit messages name. A key that a later message takes back does not count.
 *
 * @throws {Problem} `not_found` when there is no such deployment for the caller; `integration_not_connected`,
 *   `reauth_required`, `provider_error`
 */
export async function enrichMessages(
  deps: TrackerDeps,
  caller: RestrictedCaller,
  { commitMessages, deploymentId, repository }: EnrichMessages,
): Promise<EnrichedMessages> {
  const { orgId } = caller
  const tracker = await deps.openTracker(orgId)
  const texts = commitMessages.map((text): IssueText => ({ source: 'api', sha: null, text }))
  const read = await readKeys(deps, caller, { texts, deploymentId, repository })
  const lookups = await askProvider(deps, () => tracker.findIssues(read.keys.map(({ key }) => key)))
  if (deploymentId !== undefined) {
    await recordIssues(deps, { orgId, deploymentId, siteId: tracker.siteId, lookups })
  }
  return summarize(read, lookups)
}

/** Records the keys onto the deployment, if there is one, so that they are there although the tracker may not answer. */
async function readKeys(
  deps: TrackerDeps,
  caller: RestrictedCaller,
  of: {
    readonly texts: readonly IssueText[]
    readonly deploymentId: string | undefined
    readonly repository: string | undefined
  },
): Promise<FoundKeys> {
  const { orgId } = caller
  const { texts, deploymentId: id } = of
  const named = of.repository === undefined ? null : { fullName: of.repository, url: null }
  return deps.store.transaction({ orgId }, async (tx) => {
    let repository: KeyRepository | null = named
    if (id !== undefined) {
      const own = await lockRepositoryOf(tx, orgId, id)
      repository = named ?? own ?? null
      const deployment = await findRecordedDeploymentById(tx, orgId, id)
      if (deployment === undefined || !reaches(caller, deployment.environmentId)) throw notFound()
    }
    const { keys } = await readDeploymentSettings(tx, orgId)
    const reading = { ...keys, repository }
    if (id !== undefined) await recordIssueKeys(deps, tx, { orgId, id, texts, reading })
    // The limit of the body is the limit of the names.
    return findIssueKeys(texts, reading, Infinity)
  })
}

function reaches({ environmentIds }: RestrictedCaller, environmentId: string | null): boolean {
  if (environmentIds === null) return true
  return environmentId !== null && environmentIds.includes(environmentId)
}

function summarize(read: FoundKeys, lookups: readonly FoundIssue[]): EnrichedMessages {
  const takenBack = read.keys.filter(({ evidence }) => isTakenBack(evidence))
  const out = new Set(takenBack.map(({ key }) => key))
  const without = lookups.filter(isNoIssue)
  const counted = lookups.filter((one) => !out.has(one.key) && !isNoIssue(one))
  const issues = counted.flatMap((one) => ('issue' in one ? [one.issue] : []))
  return {
    keys: counted.map(({ key }) => key),
    issues: [...new Map(issues.map((issue) => [issue.externalId, issue])).values()],
    notFound: counted.filter(({ outcome }) => outcome === 'absent').map(({ key }) => key),
    ignored: [
      ...takenBack.map(({ key }) => ({ key, reason: takenBackReason })),
      ...without
        .filter(({ key }) => !out.has(key))
        .map(({ key, reason = noProjectReason }) => ({ key, reason })),
      ...read.ignored,
    ],
    notLookedUp: read.notLookedUp,
  }
}

function isNoIssue(
  one: FoundIssue,
): one is Extract<FoundIssue, { readonly outcome: 'noIssue' | 'absent' | 'noProject' }> {
  return one.outcome === 'noProject' || one.outcome === 'noIssue'
}
