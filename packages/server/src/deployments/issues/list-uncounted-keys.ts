import type { Tx } from '../../store/store.ts'
import type { CommitRow } from '../commits/commit-rows.ts'
import type { DeploymentIssueRow } from './issue-rows.ts'
import { findDeploymentTexts } from '../commits/enrich-rows.ts'
import { readDeploymentSettings } from '../codehost/integration-settings.ts'
import {
  findIssueKeys,
  issueKeysMax,
  isTracked,
  tooManyReason,
  untrackedReason,
  type IssueText,
  type KeyReading,
} from './issue-keys.ts'
import { textsOf } from './reread-keys.ts'

/** Names why a key is not counted. */
export type UncountedCause = 'no_tracker' | 'not_tracked' | 'too_many'

/** Says why a key is not looked up where no tracker is connected. */
export const noTrackerReason = 'No issue tracker is connected.'

/** Matches the names of standards, which look like issue keys and are none. Example: `UTF-8`. */
const standard = /^(?:AES|CVE|ES|HTTP|IEC|IEEE|ISO|MD|RFC|RSA|SHA|TLS|UTF)-/

interface Read {
  readonly orgId: string
  readonly id: string
  readonly commits: readonly Pick<CommitRow, 'sha' | 'message'>[]
  /** Counts the keys that the deployment keeps. */
  readonly keptCount: number
}

/** Describes a key that counts for no issue, and why: for code and in words. */
export type UncountedKey = Pick<DeploymentIssueRow, 'key' | 'evidence'> & {
  readonly cause: UncountedCause
  readonly reason: string
}

/**
 * Returns the keys in a deployment's texts that are not counted: those of projects that are not tracked, or all without
 * a tracker. For a deployment that has reached its limit of keys, it returns all of them, without evidence if there are
 * many. It reads them from the texts on each call, so that they follow the projects that are tracked now.
 */
export async function listUncountedKeys(
  tx: Tx,
  { orgId, id, commits, keptCount }: Read,
): Promise<UncountedKey[]> {
  const [texts, { keys: counted }] = await Promise.all([
    findDeploymentTexts(tx, orgId, id),
    readDeploymentSettings(tx, orgId),
  ])
  if (texts === undefined) return []
  const { repository } = texts
  const reading = { ...counted, repository }
  const named = [...(texts.isCompared ? commits.map(toText) : []), ...textsOf(texts)]
  const beyond = keptCount < issueKeysMax ? [] : listBeyond(named, reading)
  if (reading.tracked === null) return beyond
  const why =
    reading.tracked.size === 0
      ? ({ cause: 'no_tracker', reason: noTrackerReason } as const)
      : ({ cause: 'not_tracked', reason: untrackedReason(reading) } as const)
  const uncounted = findIssueKeys(named, { ...reading, tracked: null })
    .keys.filter(({ key }) => !isTracked(key, reading) && !standard.test(key))
    .map(({ key, evidence }) => ({ key, ...why, evidence }))
  return [...uncounted, ...beyond]
}

/** Returns every key that counts: those that are kept are left out by whoever knows them. */
function listBeyond(texts: readonly IssueText[], reading: KeyReading): UncountedKey[] {
  const { keys, notLookedUp } = findIssueKeys(texts, reading)
  const unnamed = notLookedUp.map((key) => ({ key, evidence: [] }))
  return [...keys, ...unnamed.filter(({ key }) => isTracked(key, reading))].map(
    ({ key, evidence }) => ({ key, cause: 'too_many' as const, reason: tooManyReason, evidence }),
  )
}

function toText({ sha, message }: Read['commits'][number]) {
  return { source: 'commit', sha, text: message } as const
}
