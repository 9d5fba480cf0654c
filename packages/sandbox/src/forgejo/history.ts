import type { ForgejoCommit, ForgejoRepository } from './state.ts'

/** Returns the commit of a branch, a tag or an id. An id may be abbreviated to seven digits if it is unambiguous. */
export function findCommit(
  { branches, tags, commits, defaultBranch }: ForgejoRepository,
  ref: string,
): ForgejoCommit | undefined {
  const name = ref === '' ? defaultBranch : ref.replace(/^refs\/(?:heads|tags)\//, '')
  const named = commits.get(branches.get(name) ?? tags.get(name) ?? ref.toLowerCase())
  if (named !== undefined || !/^[0-9a-f]{7,39}$/i.test(ref)) return named
  const beginning = [...commits.values()].filter(({ sha }) => sha.startsWith(ref.toLowerCase()))
  return beginning.length === 1 ? beginning[0] : undefined
}

/** Returns the ids of this commit and of all its ancestors. */
export function reachableFrom(
  { commits }: Pick<ForgejoRepository, 'commits'>,
  from: string,
): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [from]
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (reached.has(sha)) continue
    reached.add(sha)
    open.push(...(commits.get(sha)?.parents ?? []))
  }
  return reached
}

/** Returns a commit and its ancestors, newest first, without another commit and its ancestors. */
export function listCommits(
  repository: ForgejoRepository,
  { from, not }: { readonly from: ForgejoCommit; readonly not: ForgejoCommit | undefined },
): ForgejoCommit[] {
  const reached = reachableFrom(repository, from.sha)
  const left = not === undefined ? new Set<string>() : reachableFrom(repository, not.sha)
  return [...repository.commits.values()]
    .filter(({ sha }) => reached.has(sha) && !left.has(sha))
    .toReversed()
}
