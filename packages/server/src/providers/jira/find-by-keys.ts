import type { FoundIssue, TrackerIssue } from '../tracker.ts'

/** Fetches the issues of keys, in any order and each once. Issues that are absent or hidden are left out. */
export type FetchIssues = (keys: readonly string[]) => Promise<readonly TrackerIssue[]>

/**
 * Finds the outcome of each key, which Jira's answer does not name: a moved issue comes under its present key, and once if it is
 * requested under both. So keys without an issue of their own are requested again without the others, in ever smaller parts as
 * long as an issue is among them: two calls where nothing was moved, and for each moved issue at most twice as many as its keys
 * can be halved.
 */
export async function findByKeys(
  keys: readonly string[],
  fetch: FetchIssues,
): Promise<readonly FoundIssue[]> {
  const issues = await fetch(keys)
  const byKey = new Map(issues.map((issue) => [issue.key, issue]))
  const unanswered = keys.filter((key) => !byKey.has(key))
  const moved =
    unanswered.length === keys.length
      ? await findMoved(unanswered, issues, fetch)
      : await askForMoved(unanswered, fetch)
  return keys.map((key) => {
    const issue = byKey.get(key)
    if (issue !== undefined) return { key, outcome: 'found', issue }
    const movedIssue = moved.get(key)
    return movedIssue === undefined
      ? { key, outcome: 'absent' }
      : { key, outcome: 'moved', issue: movedIssue }
  })
}

type Moved = ReadonlyMap<string, TrackerIssue>

async function askForMoved(keys: readonly string[], fetch: FetchIssues): Promise<Moved> {
  return keys.length === 0 ? new Map() : findMoved(keys, await fetch(keys), fetch)
}

/** Assigns moved issues to the keys they were requested by. `issues` is the answer for all keys, none under its own key. */
async function findMoved(
  keys: readonly string[],
  issues: readonly TrackerIssue[],
  fetch: FetchIssues,
): Promise<Moved> {
  const [issue] = issues
  const [key] = keys
  if (issue === undefined || key === undefined) return new Map()
  if (keys.length === 1) return new Map([[key, issue]])
  // With many of them moved, as after a project got another key, halving would ask more often than one by one.
  const parts = split(keys, Math.min(keys.length, 2 * issues.length))
  const issuesByKey: [string, TrackerIssue][] = []
  for (const part of parts) issuesByKey.push(...(await askForMoved(part, fetch)))
  return new Map(issuesByKey)
}

function split<T>(items: readonly T[], count: number): T[][] {
  const size = Math.ceil(items.length / count)
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
