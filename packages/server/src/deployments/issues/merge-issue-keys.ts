import { issueKeysMax, isTakenBack, type FoundKey, type IssueEvidence } from './issue-keys.ts'
import type { DeploymentIssueRow } from './issue-rows.ts'

/** Names the direction of a deployment's commits: `in`, or `out` when it goes back to before them. */
export type Direction = 'in' | 'out'

const takenOutReason = 'This deployment goes back to a state before the commit.'
/** Says why a key that was taken back does not count. */
export const takenBackReason = 'A later commit takes it back.'

/** Adds the keys in a report of a deployment to those it has. Returns the rows that change. */
export function addIssueKeys(
  rows: readonly DeploymentIssueRow[],
  foundKeys: readonly FoundKey[],
): DeploymentIssueRow[] {
  const known = new Map(rows.map((row) => [row.key, row]))
  const capacity = Math.max(0, issueKeysMax - rows.length)
  const isNew = ({ key }: FoundKey) => !known.has(key)
  const added = foundKeys.filter(isNew).slice(0, capacity)
  return [
    ...added.map(({ key, evidence }) => toRow(undefined, { key, evidence }, 'in')),
    ...foundKeys.flatMap(({ key, evidence }) => {
      const row = known.get(key)
      const more = evidence.filter((one) => row?.evidence.every((other) => !isSame(one, other)))
      return row === undefined || more.length === 0
        ? []
        : [{ ...row, evidence: [...row.evidence, ...more].toSorted(byEvidence) }]
    }),
  ]
}

/** Merges the keys of a range of commits into those of a deployment: those of commits are replaced, the others stay. */
export function replaceCommitKeys(
  rows: readonly DeploymentIssueRow[],
  foundKeys: readonly FoundKey[],
  direction: Direction,
): { readonly written: DeploymentIssueRow[]; readonly gone: string[] } {
  const fromCommits = new Map(foundKeys.map(({ key, evidence }) => [key, evidence]))
  const known = new Map(rows.map((row) => [row.key, row]))
  const keys = [...new Set([...fromCommits.keys(), ...known.keys()])]
  const all = keys.map((key) => ({
    key,
    evidence: [
      ...(fromCommits.get(key) ?? []),
      ...(known.get(key)?.evidence.filter(({ source }) => source !== 'commit') ?? []),
    ],
  }))
  const named = all.filter(({ evidence }) => evidence.length > 0).slice(0, issueKeysMax)
  const keptKeys = new Set(named.map(({ key }) => key))
  return {
    written: named.map((of) => toRow(known.get(of.key), of, direction)),
    gone: rows.map(({ key }) => key).filter((key) => !keptKeys.has(key)),
  }
}

function toRow(
  row: DeploymentIssueRow | undefined,
  { key, evidence }: FoundKey,
  direction: Direction,
): DeploymentIssueRow {
  const issueId = row?.issueId ?? null
  const askedAt = row?.askedAt ?? null
  const isNamedByCommit = evidence.some(({ source }) => source === 'commit' || source === 'api')
  const isOut =
    isNamedByCommit && direction === 'out' ? !isTakenBack(evidence) : isTakenBack(evidence)
  if (isOut) {
    const reason = direction === 'out' ? takenOutReason : takenBackReason
    return { key, evidence, issueId, askedAt, state: 'reverted', reason }
  }
  if (row !== undefined && row.state !== 'reverted') return { ...row, evidence }
  const state = issueId === null ? 'pending' : 'linked'
  return { key, evidence, issueId, askedAt, state, reason: null }
}

function isSame(a: IssueEvidence, b: IssueEvidence): boolean {
  return a.source === b.source && a.sha === b.sha && a.text === b.text
}

const sources = ['commit', 'api', 'branch', 'payload'] as const

/** Commits stay in their order and come first, so that evidence does not tell in which order reports came. */
function byEvidence(a: IssueEvidence, b: IssueEvidence): number {
  return (
    sources.indexOf(a.source) - sources.indexOf(b.source) ||
    (a.source === 'commit' ? 0 : a.text < b.text ? -1 : Number(a.text > b.text))
  )
}
