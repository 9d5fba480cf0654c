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

export interface TrackerProject {
  readonly key: string
  readonly name: string
}

/** Holds the containers of issues that count: projects, teams or repositories, as keys name them. `null`: all of them. */
export type TrackedContainers = ReadonlySet<string> | null

/** Describes the repository that a text is of. Some keys mean another issue in another repository. */
export interface KeyRepository {
  /** Example: `acme/shop`. */
  readonly fullName: string
  /** Its page at the code host; `null` where only pipelines know the repository. */
  readonly url: string | null
}

/** Says where a text stands in which keys are looked for. */
export interface KeyScope {
  readonly source: 'commit' | 'branch' | 'payload' | 'api'
  /** `null`: the text is of no repository, or of one that is not known. */
  readonly repository: KeyRepository | null
  readonly tracked: TrackedContainers
}

/** Describes an issue key as a text names it. */
export interface KeyMention {
  /** In the one form that it is stored in, whatever the text says. Examples: `ABC-12`, `acme/shop#12`. */
  readonly key: string
  /** As it stands in the text. Read again at the same place, it is the same key. */
  readonly text: string
}

/**
 * Describes how the issues of a tracker are named in texts. It is pure and asks nobody: keys are read and stored before anything is
 * connected. The time that it takes grows with the length of the text and no faster.
 */
export interface IssueGrammar {
  /** Names what an issue is in, in the middle of a sentence. */
  readonly container: 'project' | 'team' | 'repository'
  /** Finds the keys in a line, in the order in which they stand. A key may be named more than once. */
  findKeys(line: string, where: KeyScope): readonly KeyMention[]
  /** Returns the stored form of what a person types as a key; `undefined` when it is none. */
  toKey(text: string): string | undefined
  /** Returns what the issue of a key is in. Examples: `ABC` of `ABC-12`, `acme/shop` of `acme/shop#12`. */
  containerOf(key: string): string
  /** Returns the stored form of the name of a container. */
  toContainer(name: string): string
}

/**
 * Describes the outcome of looking up a key. A tracker does not say why an issue is not shown. `noProject`: nor is any project
 * of that key, so it is most likely no issue at all, as in `UTF-8`. `noIssue`: something else has that number. `reason` is shown
 * to people.
 */
export type FoundIssue =
  | { readonly key: string; readonly outcome: 'found' | 'moved'; readonly issue: TrackerIssue }
  | { readonly key: string; readonly outcome: 'absent' | 'noProject'; readonly reason?: string }
  | { readonly key: string; readonly outcome: 'noIssue'; readonly reason: string }

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
