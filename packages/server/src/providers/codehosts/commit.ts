import type { CodehostPerson } from './repository.ts'

/** Describes a commit of a comparison. */
export interface CodehostCommit {
  readonly sha: string
  readonly message: string
  readonly author: CodehostPerson | null
  readonly at: Date | null
  readonly url: string | null
  /** Holds the hashes of its parents, the first of them the branch that it was made on. Empty: not known. */
  readonly parents: readonly string[]
}

/** Describes the relation of one commit to another. `behind`: it goes back. `diverged`: it is on another branch. */
export interface CodehostComparison {
  readonly status: 'ahead' | 'behind' | 'diverged' | 'identical'
  readonly commits: readonly CodehostCommit[]
  readonly total: number
  readonly isTruncated: boolean
}

/** Reads the commits of a host. */
export interface CodehostCommits {
  /** Up to a thousand commits, oldest first. Where `head` lies behind `base`, those between the two the other way round. */
  compare(repositoryId: string, base: string, head: string): Promise<CodehostComparison>
  get(repositoryId: string, sha: string): Promise<CodehostCommit>
}
