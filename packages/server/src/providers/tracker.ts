/** Describes an issue of a tracker. */

export interface TrackerIssue {
  readonly externalId: string
  /** As it is now: an issue that was moved has another key than commits name. */
  readonly key: string
  readonly title: string | null
  readonly type: string | null
  readonly status: string | null
  readonly statusCategory: 'new' | 'indeterminate' | 'done' | null
  readonly assignee: string | null
  readonly priority: string | null
  readonly url: string
}

/** Describes a project of a tracker. */
export interface TrackerProject {
  readonly key: string
  readonly name: string
}

/**
 * Describes the outcome of looking up a key. A tracker does not say why an issue is not shown. `noProject`: nor is any project
 * of that key, so it is most likely no issue at all, as in `UTF-8`.
 */
export type FoundIssue =
  | { readonly key: string; readonly outcome: 'found' | 'moved'; readonly issue: TrackerIssue }
  | { readonly key: string; readonly outcome: 'absent' | 'noProject' }

/**
 * Asks one site of a tracker. No call is made inside of a transaction.
 *
 * @throws {ProviderError} from each.
 */
export interface TrackerApi {
  /** The site, whose issue numbers mean others elsewhere. */
  readonly siteId: string
  /** Asks for all keys in as few calls as the tracker allows, and says of each what became of it. */
  findIssues(keys: readonly string[]): Promise<readonly FoundIssue[]>
  /** Projects whose key or name contains `query`, in the order of their keys. */
  listProjects(of: {
    readonly query: string | undefined
    readonly page: string | undefined
    readonly limit: number
  }): Promise<{
    readonly projects: readonly TrackerProject[]
    readonly nextPage: string | undefined
  }>
}
