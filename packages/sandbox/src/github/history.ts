import type { GithubCommit, GithubRepository } from './state.ts'

/** Describes a branch or tag: a name that points at a commit. */
export interface Ref {
  readonly kind: 'branch' | 'tag'
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly name: string
  readonly sha: string
}

/**
 * Returns the branch or tag of this name, with or without its `refs/heads/` or `refs/tags/`. A branch comes before a
 * tag of the same name.
 */
export function findRef(repository: GithubRepository, ref: string): Ref | undefined {
  const [, namespace, name = ref] = /^(?:refs\/)?(heads|tags)\/(.+)$/.exec(ref) ?? []
  const branch = namespace === 'tags' ? undefined : repository.branches.get(name)
  if (branch !== undefined) return { kind: 'branch', name, sha: branch }
  const tag = namespace === 'heads' ? undefined : repository.tags.get(name)
  return tag === undefined ? undefined : { kind: 'tag', name, sha: tag }
}

/** Returns the commit of a branch, a tag or a SHA. A SHA may be abbreviated to seven digits or more if it is unambiguous. */
export function findCommit(repository: GithubRepository, ref: string): GithubCommit | undefined {
  const { commits } = repository
  const named = commits.get(findRef(repository, ref)?.sha ?? ref.toLowerCase())
  if (named !== undefined || !/^[0-9a-f]{7,39}$/i.test(ref)) return named
  const beginning = [...commits.values()].filter(({ sha }) => sha.startsWith(ref.toLowerCase()))
  return beginning.length === 1 ? beginning[0] : undefined
}

/** Returns the SHAs of these commits and of all their ancestors. */
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

/** Returns the commits that are reachable from `tips` and not from `without`, oldest first. */
export function listCommits(
  repository: GithubRepository,
  tips: readonly string[],
  without: readonly string[] = [],
): GithubCommit[] {
  const reached = reachableFrom(repository, ...tips)
  const left = reachableFrom(repository, ...without)
  return [...repository.commits.values()].filter(({ sha }) => reached.has(sha) && !left.has(sha))
}

/** Describes how a head commit relates to a base commit, as GitHub's compare endpoint states it. */
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

/** Compares two commits. Returns `undefined` when they have no common ancestor. */
export function compareCommits(
  repository: GithubRepository,
  base: GithubCommit,
  headCommit: GithubCommit,
): Comparison | undefined {
  const ofBase = reachableFrom(repository, base.sha)
  // Commits are listed in the order of creation, so the last common one is the newest.
  const mergeBase = listCommits(repository, [headCommit.sha]).findLast(({ sha }) => ofBase.has(sha))
  if (mergeBase === undefined) return undefined
  const commits = listCommits(repository, [headCommit.sha], [base.sha])
  const aheadBy = commits.length
  const behindBy = listCommits(repository, [base.sha], [headCommit.sha]).length
  return {
    base,
    headCommit,
    mergeBase,
    status: comparisonStatus(aheadBy, behindBy),
    aheadBy,
    behindBy,
    commits,
  }
}

function comparisonStatus(aheadBy: number, behindBy: number): Comparison['status'] {
  if (aheadBy > 0) return behindBy > 0 ? 'diverged' : 'ahead'
  return behindBy > 0 ? 'behind' : 'identical'
}

/** Describes a file that a commit added, removed or modified. */
export interface FileChange {
  readonly path: string
  readonly status: 'added' | 'removed' | 'modified'
}

/** Returns the combined change of each path over several commits. A file that was added and removed again is left out. */
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
