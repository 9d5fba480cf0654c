/** Describes a run that waits before it deploys. */
export interface CodehostWait {
  readonly runId: string
  readonly attempt: number
  /** Holds the name of the environment at the host. */
  readonly environment: string
  readonly sha: string
  readonly ref: string | null
  /** Holds the host's id of the deployment, if it names one. */
  readonly deploymentId: string | null
  /** Says that its commit is proposed from another repository. */
  readonly isFork: boolean
  readonly url: string | null
}

/** Answers runs that wait before they deploy. */
export interface CodehostWaits {
  /** Limits the comments that a run takes before its answer. */
  readonly commentsMax: number
  /** Limits the characters of a comment. */
  readonly commentLength: number
  /** Says what a run waits for. @throws {ProviderError} */
  comment(repositoryId: string, wait: WaitOf, text: string): Promise<void>
  /**
   * Lets a run go on, or ends it. The first answer counts: a run that has one takes no other, which is no error.
   *
   * @throws {ProviderError} `notFound` where the run no longer waits.
   */
  answer(
    repositoryId: string,
    wait: WaitOf,
    answer: { readonly state: 'approved' | 'rejected'; readonly text: string },
  ): Promise<void>
}

/** Names a run that waits, and the environment that it waits for. */
export type WaitOf = Pick<CodehostWait, 'runId' | 'environment'>
