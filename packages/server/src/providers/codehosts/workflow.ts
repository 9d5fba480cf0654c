import type { ProviderError } from '../provider-error.ts'
import type { CodehostRun, RequestedRuns } from './run.ts'

/** Names the event by which a workflow is started by hand or by a call, and the trigger that allows it. */
export const requestedEvent = 'workflow_dispatch'

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

/** Names a workflow, and the branch, tag or commit at which it is read. Left out: the default branch. */
export interface WorkflowAt {
  readonly workflowId: WorkflowId
  readonly ref?: string | undefined
}

/** Lists and starts the workflows of a host, and finds their runs. */
export interface CodehostWorkflows {
  list(repositoryId: string): Promise<readonly CodehostWorkflow[]>
  /** Returns `undefined` where we may not read it, or where it is not understood. */
  readInterface(repositoryId: string, of: WorkflowAt): Promise<WorkflowInterface | undefined>
  /**
   * Starts a workflow, once at most.
   *
   * @throws {ProviderError} when nothing was started and nothing is wrong with the request.
   */
  start(repositoryId: string, request: WorkflowRequest): Promise<WorkflowStart>
  /** Lists the runs of a workflow that were started on request from `from` to `to`. */
  listRequestedRuns(
    repositoryId: string,
    of: { readonly workflowId: WorkflowId; readonly from: Date; readonly to: Date },
  ): Promise<RequestedRuns>
  findRun(repositoryId: string, runId: string): Promise<CodehostRun | undefined>
}
