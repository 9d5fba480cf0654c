/** Describes what is written beside a commit, so that a pull request shows it. */
export interface CommitStatus {
  readonly sha: string
  /** Names it among the others of the commit. Example: `Signalbox: configuration`. */
  readonly name: string
  readonly state: 'pending' | 'success' | 'neutral' | 'failure'
  /** Says it in one line. A host may cut it off. */
  readonly title: string
  /** Says it in Markdown, for a host that shows a page. */
  readonly summary: string
  /** Holds the page of this server that shows it. */
  readonly url: string
  /** Lists lines of files to mark. */
  readonly annotations: readonly {
    readonly path: string
    readonly line: number
    readonly message: string
  }[]
  /** Holds what `write` returned before for the same name and commit. */
  readonly externalId: string | null
  /** Identifies it in repeated calls: our id of it. */
  readonly ownId: string
}

/** Describes where a status stands after it was written. */
export interface WrittenStatus {
  readonly kind: 'check_run' | 'commit_status'
  readonly externalId: string | null
  readonly url: string | null
}

/** Writes beside commits. */
export interface CodehostStatuses {
  /**
   * Writes it, or writes it anew where it stands already. Calling it again with the same does no harm.
   *
   * @throws {ProviderError}
   */
  write(repositoryId: string, status: CommitStatus): Promise<WrittenStatus>
}
