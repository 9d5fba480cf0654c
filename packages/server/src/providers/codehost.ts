/** What code hosts have in common: the words that the features speak, whatever a provider calls them. */

export interface CodehostPerson {
  readonly name: string
  readonly login: string | null
}

/** Numbers of a provider are text here: they outgrow the integers of JavaScript. */
export interface CodehostRepository {
  readonly externalId: string
  /** Example: `acme/shop`. It changes; the number does not. */
  readonly fullName: string
  readonly defaultBranch: string
  readonly url: string
}

/** States as hosts report them; any other text is kept as `unknown` and changes nothing. */
export type ReportedState =
  | 'waiting'
  | 'queued'
  | 'pending'
  | 'in_progress'
  | 'success'
  | 'failure'
  | 'error'
  | 'inactive'
  | 'unknown'

export interface CodehostDeployment {
  readonly externalId: string
  readonly sha: string
  readonly ref: string
  readonly task: string
  readonly environment: string
  readonly description: string | null
  readonly creator: CodehostPerson | null
  /** Text in which issue keys may stand. */
  readonly payloadText: string
  readonly isTransient: boolean
  readonly isProduction: boolean
  readonly createdAt: Date
  /** From the run that made it, where the host says so. */
  readonly headBranch: string | null
  readonly headCommitMessage: string | null
}

export interface CodehostStatus {
  /** Grows with time, so it orders reports that arrive shuffled. Digits. */
  readonly externalId: string
  readonly state: ReportedState
  /** A status may move its deployment to another environment. */
  readonly environment: string | null
  readonly description: string | null
  readonly environmentUrl: string | null
  readonly logUrl: string | null
  readonly at: Date
}

export type RunStatus = 'queued' | 'in_progress' | 'completed' | 'unknown'

export interface CodehostRun {
  readonly externalId: string
  readonly workflowId: string
  readonly attempt: number
  readonly event: string
  readonly status: RunStatus
  /** Null until it is completed. */
  readonly conclusion: string | null
  readonly headSha: string
  readonly headBranch: string | null
  readonly title: string
  /** Started by an application, not by a person. */
  readonly isByApp: boolean
  readonly url: string
  readonly startedAt: Date | null
  readonly updatedAt: Date
}

export interface CodehostCommit {
  readonly sha: string
  readonly message: string
  readonly author: CodehostPerson | null
  readonly at: Date | null
  readonly url: string | null
}

/** How one commit lies to another. `behind`: a way back. `diverged`: a branch of its own. */
export interface CodehostComparison {
  readonly status: 'ahead' | 'behind' | 'diverged' | 'identical'
  readonly commits: readonly CodehostCommit[]
  readonly total: number
  readonly isTruncated: boolean
}

/** One thing that a code host tells us. */
export type CodehostEvent =
  | {
      readonly type: 'deployment'
      readonly repository: CodehostRepository
      readonly deployment: CodehostDeployment
    }
  | {
      readonly type: 'deploymentStatus'
      readonly repository: CodehostRepository
      readonly deployment: CodehostDeployment
      readonly status: CodehostStatus
    }
  | { readonly type: 'run'; readonly repository: CodehostRepository; readonly run: CodehostRun }
  | {
      readonly type: 'push'
      readonly repository: CodehostRepository
      readonly ref: string
      readonly after: string
      readonly isDeleted: boolean
    }
  | {
      readonly type: 'installation'
      readonly change:
        | 'created'
        | 'deleted'
        | 'suspended'
        | 'unsuspended'
        | 'permissions'
        | 'repositories'
      readonly accountId: string
    }
  | { readonly type: 'authorizationRevoked'; readonly login: string }
  | { readonly type: 'ping' }
  /** Nothing of ours. `reason` is shown to people. */
  | { readonly type: 'ignored'; readonly reason: string }

/** A part of a list, and where it goes on. */
export interface CodehostPage<Item> {
  readonly items: readonly Item[]
  /** Given back as it is; `undefined` at the end. */
  readonly nextPage: string | undefined
  /** How many there are on all pages, where the host says so. */
  readonly total?: number | undefined
}

export interface CodehostWorkflow {
  readonly externalId: string
  readonly name: string
  /** Example: `.github/workflows/e2e.yml`. */
  readonly path: string
  /** As the host says it, such as `active` or `disabled_manually`. */
  readonly state: string
}

/** What a workflow may be started with. */
export interface WorkflowInput {
  readonly name: string
  readonly description: string | null
  readonly type: 'string' | 'number' | 'boolean' | 'choice' | 'environment' | 'unknown'
  readonly isRequired: boolean
  readonly default: string | null
  /** Of a choice; empty for every other type. */
  readonly options: readonly string[]
}

/** What the file of a workflow says of starting it by hand. */
export interface WorkflowDeclaration {
  readonly isDispatchable: boolean
  readonly inputs: readonly WorkflowInput[]
}

/**
 * What became of starting a workflow.
 *
 * - `started`: the host names the run.
 * - `ambiguous`: it may have been started or not, or was, and the host does not say as which run.
 * - `refused`: it was not, and will not be; `code` is the provider's, such as `no_dispatch_trigger`.
 */
export type WorkflowStart =
  | { readonly outcome: 'started'; readonly runId: string; readonly runUrl: string }
  | { readonly outcome: 'ambiguous' }
  | { readonly outcome: 'refused'; readonly code: string }

/** What is left of what the host lets an account ask until `resetsAt`. */
export interface CodehostBudget {
  readonly remaining: number
  readonly limit: number
  readonly resetsAt: Date
}

/**
 * What is asked of one account of a code host. Repositories are named by their numbers. Each call is made once, and is not
 * made inside of a transaction.
 *
 * @throws {ProviderError} from each.
 */
export interface CodehostApi {
  /** As the last answer said; `undefined` before the first. What can wait stays above half of `limit`. */
  budget(): CodehostBudget | undefined
  /** The repositories that the account lets us see. */
  listRepositories(page?: string): Promise<CodehostPage<CodehostRepository>>
  listEnvironments(
    repositoryId: string,
    page?: string,
  ): Promise<CodehostPage<{ readonly name: string }>>
  /** Newest first. */
  listDeployments(repositoryId: string, page?: string): Promise<CodehostPage<CodehostDeployment>>
  /** How many there are, by one small call. */
  countDeployments(repositoryId: string): Promise<number>
  /** Newest first, a hundred at most. */
  listStatuses(repositoryId: string, deploymentId: string): Promise<readonly CodehostStatus[]>
  /** Up to a thousand commits, oldest first. Where `head` lies behind `base`, those between the two the other way round. */
  compare(repositoryId: string, base: string, head: string): Promise<CodehostComparison>
  getCommit(repositoryId: string, sha: string): Promise<CodehostCommit>
  listWorkflows(repositoryId: string): Promise<readonly CodehostWorkflow[]>
  /** As its file says it; `undefined`: we may not read it, or it says nothing that is understood. */
  readWorkflow(
    repositoryId: string,
    of: {
      /** The number, the file's name such as `e2e.yml`, or its path. */
      readonly workflowId: string
      /** A branch, tag or commit. Left out: the default branch. */
      readonly ref?: string | undefined
    },
  ): Promise<WorkflowDeclaration | undefined>
  /**
   * Started once at most. Inputs that the workflow does not declare are left out.
   *
   * @throws {ProviderError} when nothing was started and nothing is wrong with what was asked for.
   */
  startWorkflow(
    repositoryId: string,
    of: {
      /** The number, or the file's name such as `e2e.yml`. */
      readonly workflowId: string
      /** A branch or tag. */
      readonly ref: string
      readonly inputs: Readonly<Record<string, string>>
    },
  ): Promise<WorkflowStart>
  /** Runs that were started by hand from `from` to `to`. */
  listRuns(
    repositoryId: string,
    of: { readonly workflowId: string; readonly from: Date; readonly to: Date },
  ): Promise<readonly CodehostRun[]>
  getRun(repositoryId: string, runId: string): Promise<CodehostRun | undefined>
}
