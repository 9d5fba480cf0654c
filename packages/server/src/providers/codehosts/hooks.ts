/** Says which webhooks this server is to have at the host. */
export interface HookRequest {
  readonly url: string
  /** Those that are good now; empty at first. */
  readonly secrets: readonly string[]
  /** The webhooks that this server made before. */
  readonly hooks: readonly string[]
  /** Lists the ends of addresses of connections that have ended: what is sent there is refused. Example: `/int_01h…` */
  readonly formerPaths: readonly string[]
  readonly repositoryIds: readonly string[]
  /** Says whether they report changes of issues as well. */
  readonly withIssues: boolean
  /** Called after each repository, with how many are done. What it throws ends the work. */
  readonly onProgress?: (done: number) => Promise<void>
}

/** Describes the webhooks that this server has at the host. */
export interface HookReport {
  /** Those that are good from now on. */
  readonly secrets: readonly string[]
  /** As the provider's folder writes them, for the next time. */
  readonly hooks: readonly string[]
  /** Says what is wrong with them and what to do, for people; `null`: nothing is. */
  readonly problem: string | null
}

/** Makes the webhooks of a host that has them per repository. */
export interface CodehostHooks {
  /** Returns the secrets of a connection that has none yet. They are stored before a webhook is made. */
  newSecrets(): readonly string[]
  /**
   * Makes the webhooks that are missing, repairs those that were changed or switched off, and removes those of other repositories and
   * of connections that have ended.
   * It is safe to repeat.
   *
   * @throws {ProviderError} for what concerns the whole account.
   */
  install(request: HookRequest): Promise<HookReport>
}
