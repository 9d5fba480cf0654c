import type { Tx } from '../store/store.ts'
import type { CommitRow } from './commit-rows.ts'
import type { ShownIssueRow } from './detail-rows.ts'
import { findDeploymentTexts } from './enrich-rows.ts'
import { readDeploymentSettings } from './integration-settings.ts'
import { findIssueKeys, isTracked, untrackedReason } from './issue-keys.ts'
import { textsOf } from './reread-keys.ts'

export const noTrackerReason = 'No issue tracker is connected.'

/** What looks like a key and is the name of a standard, as everybody writes it: nobody misses an issue of it. */
const standard = /^(?:AES|CVE|ES|HTTP|IEC|IEEE|ISO|MD|RFC|RSA|SHA|TLS|UTF)-/

interface Read {
  readonly orgId: string
  readonly id: string
  readonly commits: readonly Pick<CommitRow, 'sha' | 'message'>[]
}

/**
 * The keys that a deployment names and that count for none: of projects that are not tracked, or all of them without a
 * tracker. They are read from its texts when somebody looks, not stored, so that they are those of what is tracked now.
 */
export async function listUncountedKeys(
  tx: Tx,
  { orgId, id, commits }: Read,
): Promise<ShownIssueRow[]> {
  const [texts, { trackedProjects }] = await Promise.all([
    findDeploymentTexts(tx, orgId, id),
    readDeploymentSettings(tx, orgId),
  ])
  if (texts === undefined || trackedProjects === null) return []
  const named = [...(texts.isCompared ? commits.map(toText) : []), ...textsOf(texts)]
  const reason = trackedProjects.size === 0 ? noTrackerReason : untrackedReason
  return findIssueKeys(named, null)
    .keys.filter(({ key }) => !isTracked(key, trackedProjects) && !standard.test(key))
    .map(({ key, evidence }) => ({ ...notLookedUp, key, reason, evidence }))
}

function toText({ sha, message }: Read['commits'][number]) {
  return { source: 'commit', sha, text: message } as const
}

const notLookedUp = {
  state: 'ignored',
  issueId: null,
  askedAt: null,
  currentKey: null,
  title: null,
  type: null,
  status: null,
  statusCategory: null,
  assignee: null,
  priority: null,
  url: null,
  fetchedAt: null,
} as const
