import type { FoundIssue, TrackerIssue } from '../tracker.ts'

/** Answers the issues of keys in any order, each once; those that are not there or hidden are left out. */
export type FetchIssues = (keys: readonly string[]) => Promise<readonly TrackerIssue[]>

/**
 * Says of each key what became of it, although the answer does not: an issue that was moved comes under its key of today,
 * and once if it is asked for under both. So what is not answered under its own key is asked for again without the
 * others, and in ever smaller parts as long as there is something among it: two calls where nothing was moved, and for
 * each moved issue at most twice as many as its keys can be halved.
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

/** `issues` is what the keys were answered with, none of them under its own. */
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
