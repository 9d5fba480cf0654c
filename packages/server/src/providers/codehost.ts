/** Holds what code hosts have in common: the words that the features speak, whatever a provider calls them. */
import { hostDeploymentStates } from '@signalbox/contract'
import { dispatchRunStates } from '@signalbox/contract/rest'

import type { ProviderError } from './provider-error.ts'

/** Describes a person as the code host knows them. */
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

/** Lists the states that hosts report; any other text is kept as `unknown` and changes nothing. */
export const reportedStates = [...hostDeploymentStates, 'inactive', 'unknown'] as const
export type ReportedState = (typeof reportedStates)[number]

/** Describes a deployment as the code host has it. */
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
  readonly createdAt: Date
  /** From the run that made it, where the host says so. */
  readonly headBranch: string | null
  readonly headCommitMessage: string | null
  /** The workflow whose run made it, where the host says so. */
  readonly workflowId: string | null
  /** The run that made it, where the host says so. Other jobs of the run may deploy the same with it. */
  readonly run: DeployingRun | null
}

/** Describes the run whose job made a deployment. */
export interface DeployingRun {
  /** With the attempt, where the host counts them: a run that is started again deploys anew. Example: `4711/1`. */
  readonly id: string
  /** The name of the job, where the host says it. */
  readonly job: string | null
}

/** Describes a status of a deployment. */
export interface CodehostStatus {
  /** Grows with time, so it orders reports that arrive shuffled. Digits; see `orderByRank` for a host that counts nothing. */
  readonly externalId: string
  readonly state: ReportedState
  /** A status may move its deployment to another environment. */
  readonly environment: string | null
  readonly description: string | null
  readonly environmentUrl: string | null
  readonly logUrl: string | null
  readonly at: Date
}

/**
 * Returns the number of a status whose host counts none: how far the state is (0 to 7), then when it was reached. A state that is
 * reached once needs no time. Example: rank 3 at the epoch is `52776558133248`.
 */
export function orderByRank(rank: number, at: Date = new Date(0)): string {
  return ((BigInt(rank) << 44n) | BigInt(at.getTime())).toString()
}

/** Describes a deployment as its host has it at the moment, with the statuses that led there, oldest first. */
export interface CodehostDeploymentNow {
  readonly repository: CodehostRepository
  readonly deployment: CodehostDeployment
  readonly statuses: readonly CodehostStatus[]
}

/** Lists how a run may stand: it waits, it is under way, or it ended like this. `unknown` changes nothing. */
export const runStates = [...dispatchRunStates, 'unknown'] as const

export type RunState = (typeof runStates)[number]

/** Describes a run of a workflow or pipeline. */
export interface CodehostRun {
  readonly externalId: string
  readonly workflowId: string
  /** From 1; always 1 where the host does not count repeats of a run. */
  readonly attempt: number
  readonly state: RunState
  /**
   * The id of ours that the run was started for, where the host shows it: `run_…` of a test run, `dsp_…` of a dispatch.
   * `null` where the workflow hands none back.
   */
  readonly correlation: string | null
  /** Started on request, by hand or by a call. A run that follows from a push or a schedule is none of ours. */
  readonly isRequested: boolean
  /** Started by an application, not by a person. */
  readonly isByApp: boolean
  readonly headSha: string
  readonly headBranch: string | null
  readonly url: string
  readonly startedAt: Date | null
  readonly updatedAt: Date
}

/** Describes a commit of a comparison. */
export interface CodehostCommit {
  readonly sha: string
  readonly message: string
  readonly author: CodehostPerson | null
  readonly at: Date | null
  readonly url: string | null
}

/** Describes the relation of one commit to another. `behind`: it goes back. `diverged`: it is on another branch. */
export interface CodehostComparison {
  readonly status: 'ahead' | 'behind' | 'diverged' | 'identical'
  readonly commits: readonly CodehostCommit[]
  readonly total: number
  readonly isTruncated: boolean
}

/** Describes one thing that a code host tells us. */
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
  /** Something happened to a deployment: what it is now is read from the host. */
  | {
      readonly type: 'deploymentHint'
      readonly repositoryId: string
      readonly deploymentId: string
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
      readonly type: 'access'
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

/** Describes a part of a list, and where it goes on. */
export interface CodehostPage<Item> {
  readonly items: readonly Item[]
  /** Given back as it is; `undefined` at the end. */
  readonly nextPage: string | undefined
  /** Counts what is on all pages, where the host says so. */
  readonly total?: number | undefined
}

/** Describes something that the host starts on a branch or tag: a workflow, or a pipeline. */
export interface CodehostWorkflow {
  readonly externalId: string
  readonly name: string
  /** Where the repository declares it. Its last segment names the workflow as well as `externalId` does. */
  readonly path: string
  /** `active`, or the host's word for why it cannot be started. */
  readonly state: string
}

/** Describes one input that a workflow takes. */
export interface WorkflowInput {
  readonly name: string
  readonly description: string | null
  readonly type: 'string' | 'number' | 'boolean' | 'choice' | 'environment' | 'unknown'
  readonly isRequired: boolean
  readonly default: string | null
  /** Of a choice; empty for every other type. */
  readonly options: readonly string[]
}

/** Describes how a workflow is started: whether it can be at all, and with which inputs. */
export interface WorkflowInterface {
  readonly isStartable: boolean
  readonly inputs: readonly WorkflowInput[]
  /**
   * Lists the inputs that every run shows: a run that was started with an id of ours in one of them has it as its `correlation`.
   * `all`: the host keeps every input with the run. Left out: none is known to be shown.
   */
  readonly shownInputs?: readonly string[] | 'all' | undefined
}

/** Names a workflow: by its id, the last segment of its path, or the whole path. */
type WorkflowId = string

/** Describes the start of a workflow. */
export interface WorkflowRequest {
  readonly workflowId: WorkflowId
  /** A branch or tag. */
  readonly ref: string
  /** Those that the workflow does not take are left out. */
  readonly inputs: Readonly<Record<string, string>>
}

/** Names the error of a workflow that cannot be started on request, as the API shows it. */
export const notStartable = 'no_dispatch_trigger'

/** Names the error of a repository that takes no variables for its pipelines, as the API shows it. */
export const variablesForbidden = 'variables_forbidden'

/** Names the same error at a host that is too old to take anything else. */
export const variablesOnly = 'variables_only'

/**
 * Names why a host does not start a workflow, as far as hosts have it in common. A host may have codes of its own as well.
 *
 * - `not_found`: the workflow is not there, or hidden from us.
 * - `no_dispatch_trigger`: it cannot be started on request.
 * - `ref_not_found`: there is no such branch or tag.
 * - `variables_forbidden`: the repository takes no variables, and declares no inputs.
 * - `variables_only`: the repository takes no variables, and the version of the host takes no inputs.
 * - `workflow_disabled`, `input_required`, `forbidden`: as they say.
 */
export type StartErrorCode =
  | 'not_found'
  | typeof notStartable
  | typeof variablesForbidden
  | typeof variablesOnly
  | 'ref_not_found'
  | 'workflow_disabled'
  | 'input_required'
  | 'forbidden'

/**
 * Describes the outcome of starting a workflow.
 *
 * - `started`: the host names the run.
 * - `ambiguous`: it may have been started or not, or was, and the host does not say as which run.
 * - `refused`: it was not, and will not be; the code of `error` is a `StartErrorCode` or the host's own, such as `http_422`.
 */
export type WorkflowStart =
  /** `runUrl` is `null` where the answer has none: the run itself says it later. */
  | { readonly outcome: 'started'; readonly runId: string; readonly runUrl: string | null }
  | { readonly outcome: 'ambiguous' }
  | { readonly outcome: 'refused'; readonly error: ProviderError }

/** Describes one test of a run as the host shows it. */
export interface CodehostTestCase {
  readonly suite: string
  readonly name: string
  readonly status: 'passed' | 'failed' | 'skipped' | 'other'
  readonly durationMs: number | null
  /** Says what went wrong. */
  readonly message: string | null
}

/** Describes the test results of a run as the host has them. */
export interface CodehostTestReport {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly durationMs: number | null
  /** Empty where there are too many to read: the sums say how many. */
  readonly cases: readonly CodehostTestCase[]
  /** Why the host could not read a report. Its tests are in none of the sums. */
  readonly unread?: string
}

/** Holds what is left of what the host lets an account ask until `resetsAt`. */
export interface CodehostBudget {
  readonly remaining: number
  readonly limit: number
  readonly resetsAt: Date
}

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

/** Holds the runs that a search has read. */
export interface RequestedRuns {
  readonly runs: readonly CodehostRun[]
  /** False where the host has more runs of that time than were read: one that is missing here may be among those. */
  readonly isComplete: boolean
}

/** Reads the deployments of a host that has them. Repositories are named by their numbers. @throws {ProviderError} from each. */
export interface CodehostDeployments {
  listEnvironments(
    repositoryId: string,
    page?: string,
  ): Promise<CodehostPage<{ readonly name: string }>>
  /** Newest first; with `changedSince`, what changed since then, where the host can be asked that. */
  list(
    repositoryId: string,
    page?: string,
    changedSince?: Date,
  ): Promise<CodehostPage<CodehostDeployment>>
  /** Counts them by one small call; `undefined` where the host does not say. */
  count(repositoryId: string): Promise<number | undefined>
  /** Reads a deployment; `undefined` where it is gone. Left out: its events say everything. */
  readonly read?: (
    repositoryId: string,
    deploymentId: string,
  ) => Promise<CodehostDeploymentNow | undefined>
  /** Newest first, a hundred at most. */
  listStatuses(repositoryId: string, deploymentId: string): Promise<readonly CodehostStatus[]>
}

/**
 * Asks one account of a code host. Repositories are named by their numbers. Each call is made once, and is not
 * made inside of a transaction.
 *
 * @throws {ProviderError} from each.
 */
export interface CodehostApi {
  /** Left out: the application of this server has one webhook for all repositories, or the host sends none. */
  readonly hooks?: CodehostHooks
  /** Left out: the host has none, so that pipelines report them. */
  readonly deployments?: CodehostDeployments
  /** As the last answer said; `undefined` before the first. What can wait stays above half of `limit`. */
  budget(): CodehostBudget | undefined
  /** The repositories that the account lets us see. */
  listRepositories(page?: string): Promise<CodehostPage<CodehostRepository>>
  /** Up to a thousand commits, oldest first. Where `head` lies behind `base`, those between the two the other way round. */
  compare(repositoryId: string, base: string, head: string): Promise<CodehostComparison>
  getCommit(repositoryId: string, sha: string): Promise<CodehostCommit>
  listWorkflows(repositoryId: string): Promise<readonly CodehostWorkflow[]>
  /** Returns `undefined` where we may not read it, or where it is not understood. */
  readWorkflowInterface(
    repositoryId: string,
    of: {
      readonly workflowId: WorkflowId
      /** A branch, tag or commit. Left out: the default branch. */
      readonly ref?: string | undefined
    },
  ): Promise<WorkflowInterface | undefined>
  /**
   * Starts a workflow, once at most.
   *
   * @throws {ProviderError} when nothing was started and nothing is wrong with the request.
   */
  startWorkflow(repositoryId: string, request: WorkflowRequest): Promise<WorkflowStart>
  /** Lists the runs of a workflow that were started on request from `from` to `to`. */
  listRequestedRuns(
    repositoryId: string,
    of: { readonly workflowId: WorkflowId; readonly from: Date; readonly to: Date },
  ): Promise<RequestedRuns>
  findRun(repositoryId: string, runId: string): Promise<CodehostRun | undefined>
  /** Reads the test results of a run that has ended; `undefined` where it has none. Left out: the host keeps none. */
  readonly readTestReport?: (
    repositoryId: string,
    runId: string,
  ) => Promise<CodehostTestReport | undefined>
}
