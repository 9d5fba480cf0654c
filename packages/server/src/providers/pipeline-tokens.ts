/** Names the run that a pipeline's token was made for. The ids are the code host's. */
export interface PipelineIdentity {
  readonly repositoryExternalId: string
  readonly runId: string
  /** From 1; always 1 where the host does not count repeats of a run. */
  readonly attempt: number
}

/** Describes the OIDC tokens that a code host makes for its pipelines. */
export interface PipelineTokenIssuer {
  readonly provider: string
  /** The `iss` of its tokens. */
  readonly issuer: string
  /** Where its public keys are. */
  readonly jwksUrl: string
  /** Reads which run verified claims are of; `undefined` where they do not say. */
  readonly readIdentity: (claims: unknown) => PipelineIdentity | undefined
}
