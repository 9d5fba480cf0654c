/** Describes a pull request, or a merge request, as its host says it is now. */
export interface CodehostPullRequest {
  readonly number: number
  readonly url: string | null
  readonly state: 'open' | 'merged' | 'closed'
  /** Holds the newest commit that it proposes. */
  readonly headSha: string
  /** Holds the branch that it comes from. */
  readonly headRef: string
  /** Says that the branch is in another repository, or in one that is gone. */
  readonly isFork: boolean
  /** Holds when it changed last, by the clock of the host: it orders events. */
  readonly updatedAt: Date
}

/** Reads the pull requests of a host. */
export interface CodehostPullRequests {
  /** Returns `undefined` where there is none of this number. */
  find(repositoryId: string, number: number): Promise<CodehostPullRequest | undefined>
}
