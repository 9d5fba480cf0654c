/** Describes a run that waits before it deploys, as its webhook says it. */
export interface CodehostWait {
  readonly runId: string
  /** `null`: the webhook does not say, and the run does. A run that is started again waits anew. */
  readonly attempt: number | null
  /** Holds the name of the environment at the host. */
  readonly environment: string
  readonly sha: string
  readonly ref: string | null
  /** Holds the host's id of the deployment, if it names one. */
  readonly deploymentId: string | null
  /** Says that its commit is proposed from another repository. A webhook may leave it out, and then it is false until the run is read. */
  readonly isFork: boolean
  readonly url: string | null
}

/** Describes a run that waits, with what the run says of itself. */
export type KnownWait = CodehostWait & { readonly attempt: number }

/** Answers runs that wait before they deploy. */
export interface CodehostWaits {
  /** Limits the comments that a run takes before its answer. */
  readonly commentsMax: number
  /** Limits the characters of a comment. */
  readonly commentLength: number
  /**
   * Reads what the webhook leaves out: the attempt, and whether the commit comes from another repository. Nothing is decided before.
   * Returns `undefined` where the run is gone.
   *
   * @throws {ProviderError}
   */
  read(repositoryId: string, wait: CodehostWait): Promise<KnownWait | undefined>
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
