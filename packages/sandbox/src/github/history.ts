import type { GithubCommit, GithubRepository } from './state.ts'

/** A name that points at a commit. */
export interface Ref {
  readonly kind: 'branch' | 'tag'
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly name: string
  readonly sha: string
}

/** The branch or tag of this name, with or without what Git puts before it. A branch comes before a tag of its name. */
export function findRef(repository: GithubRepository, ref: string): Ref | undefined {
  const [, place, name = ref] = /^(?:refs\/)?(heads|tags)\/(.+)$/.exec(ref) ?? []
  const branch = place === 'tags' ? undefined : repository.branches.get(name)
  if (branch !== undefined) return { kind: 'branch', name, sha: branch }
  const tag = place === 'heads' ? undefined : repository.tags.get(name)
  return tag === undefined ? undefined : { kind: 'tag', name, sha: tag }
}

/** The commit that a branch, a tag or a SHA means. A SHA may be cut, to seven digits at least, if only one begins so. */
export function findCommit(repository: GithubRepository, ref: string): GithubCommit | undefined {
  const { commits } = repository
  const named = commits.get(findRef(repository, ref)?.sha ?? ref.toLowerCase())
  if (named !== undefined || !/^[0-9a-f]{7,39}$/i.test(ref)) return named
  const beginning = [...commits.values()].filter(({ sha }) => sha.startsWith(ref.toLowerCase()))
  return beginning.length === 1 ? beginning[0] : undefined
}

/** The commit and everything before it, by SHA. */
export function reachableFrom(
  { commits }: GithubRepository,
  ...from: readonly string[]
): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...from]
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (reached.has(sha)) continue
    reached.add(sha)
    open.push(...(commits.get(sha)?.parents ?? []))
  }
  return reached
}

/** Returns what is reachable from `heads` and not from `without`, oldest first: a commit is made after those it stands on. */
export function listCommits(
  repository: GithubRepository,
  tips: readonly string[],
  without: readonly string[] = [],
): GithubCommit[] {
  const reached = reachableFrom(repository, ...tips)
  const left = reachableFrom(repository, ...without)
  return [...repository.commits.values()].filter(({ sha }) => reached.has(sha) && !left.has(sha))
}

/** How a head stands to a base. */
export interface Comparison {
  readonly base: GithubCommit
  readonly headCommit: GithubCommit
  readonly mergeBase: GithubCommit
  readonly status: 'ahead' | 'behind' | 'diverged' | 'identical'
  readonly aheadBy: number
  readonly behindBy: number
  /** Holds what the head has and the base has not, oldest first. */
  readonly commits: readonly GithubCommit[]
}

/** `undefined` when the two have no commit in common. */
export function compareCommits(
  repository: GithubRepository,
  base: GithubCommit,
  headCommit: GithubCommit,
): Comparison | undefined {
  const ofBase = reachableFrom(repository, base.sha)
  // The last made of those in common: none that is in common stands on it.
  const mergeBase = listCommits(repository, [headCommit.sha]).findLast(({ sha }) => ofBase.has(sha))
  if (mergeBase === undefined) return undefined
  const commits = listCommits(repository, [headCommit.sha], [base.sha])
  const aheadBy = commits.length
  const behindBy = listCommits(repository, [base.sha], [headCommit.sha]).length
  return {
    base,
    headCommit,
    mergeBase,
    status: standing(aheadBy, behindBy),
    aheadBy,
    behindBy,
    commits,
  }
}

function standing(aheadBy: number, behindBy: number): Comparison['status'] {
  if (aheadBy > 0) return behindBy > 0 ? 'diverged' : 'ahead'
  return behindBy > 0 ? 'behind' : 'identical'
}

/** A file that is not what it was. */
export interface FileChange {
  readonly path: string
  readonly status: 'added' | 'removed' | 'modified'
}

/** Returns what commits come to together, by path: a file that was added and removed again is not among them. */
export function changesOf(commits: readonly GithubCommit[]): FileChange[] {
  const changes = new Map<string, FileChange['status']>()
  for (const { added, modified, removed } of commits) {
    for (const path of added) {
      changes.set(path, changes.get(path) === 'removed' ? 'modified' : 'added')
    }
    for (const path of modified) changes.set(path, changes.get(path) ?? 'modified')
    for (const path of removed) {
      if (changes.get(path) === 'added') changes.delete(path)
      else changes.set(path, 'removed')
    }
  }
  return [...changes]
    .map(([path, status]) => ({ path, status }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
}
