import { listCommits, mergeBase } from '../../../../../sandbox/src/models/git.ts'
import type { GithubCommit, GithubRepository } from './state.ts'

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
  const common = mergeBase(repository, base, headCommit)
  if (common === undefined) return undefined
  const commits = listCommits(repository, [headCommit.sha], [base.sha])
  const aheadBy = commits.length
  const behindBy = listCommits(repository, [base.sha], [headCommit.sha]).length
  return {
    base,
    headCommit,
    mergeBase: common,
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
