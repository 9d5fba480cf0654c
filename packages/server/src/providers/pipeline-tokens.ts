/** Names the run that a pipeline's token was made for. The ids are the code host's. */
export interface PipelineIdentity {
  readonly repositoryExternalId: string
  readonly runId: string
  /** From 1; always 1 where the host does not count repeats of a run. */
  readonly attempt: number
  /** Says whether the run's branch or tag is protected at the host. Left out: its tokens do not say. */
  readonly isRefProtected?: boolean | undefined
  /** Holds the commit that the run is of; of a pull request, the merge of it where the host makes one. Left out: its tokens do not say. */
  readonly sha?: string | undefined
  /** Holds the full name of the branch or tag. Example: `refs/heads/main`. Left out: its tokens do not say. */
  readonly ref?: string | undefined
  /** Holds the number of the pull request whose proposal the run is of. */
  readonly pullRequest?: number | undefined
}

/** Describes the OIDC tokens that a code host makes for its pipelines. */
export interface PipelineTokenIssuer {
  readonly provider: string
  /** The `iss` of its tokens. */
  readonly issuer: string
  /** Holds the address of its public keys. Left out: its discovery document says, at the issuer's address. */
  readonly jwksUrl?: string | undefined
  /**
   * Reads which run verified claims are of; `undefined` where they do not say, and for a run of code that others wrote, such as the
   * merge request of a fork.
   */
  readonly readIdentity: (claims: unknown) => PipelineIdentity | undefined
}
