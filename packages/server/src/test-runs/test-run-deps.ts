import type { Emit } from '../jobs/emit.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { CodehostRun, RequestedRuns } from '../providers/codehosts/run.ts'
import type { CodehostTestReport } from '../providers/codehosts/test-report.ts'
import type {
  WorkflowInterface,
  WorkflowRequest,
  WorkflowStart,
} from '../providers/codehosts/workflow.ts'
import type { Store } from '../store/store.ts'

/** Describes what the use cases of test runs work with. */
export interface TestRunDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly emit: Emit<'testRun.changed' | 'testRun.ended' | 'dispatch.reopened'>
  readonly now: () => Date
}

/** Names a workflow of an organization. */
export interface WorkflowRef {
  readonly orgId: string
  /** The code host's id of the repository. */
  readonly repositoryExternalId: string
  readonly workflowId: string
}

/** Describes the start of a workflow of an organization. */
export type DispatchRequest = WorkflowRef & WorkflowRequest

/**
 * Asks the code host that an organization has connected. No call is made inside of a transaction.
 *
 * @throws {ProviderError | Problem} when the code host cannot be asked: see `read-cause.ts`.
 */
export interface TestRunner {
  /** Reads what a workflow takes on a branch or tag; `undefined` where that cannot be read. */
  readInterface(
    workflow: WorkflowRef & { readonly ref: string },
  ): Promise<WorkflowInterface | undefined>
  /** Starts a workflow, once at most. An error that is no bug says that nothing was started. */
  dispatch(request: DispatchRequest): Promise<WorkflowStart>
  /** Lists the runs of a workflow that were started on request from `from` to `to`. */
  listRequestedRuns(
    of: WorkflowRef & { readonly from: Date; readonly to: Date },
  ): Promise<RequestedRuns>
  /** Reads one run; `undefined` where there is none. */
  readRun(of: {
    readonly orgId: string
    readonly repositoryExternalId: string
    readonly runId: string
  }): Promise<CodehostRun | undefined>
  /** Reads the test results of a run; `undefined` where it has none, or where the code host keeps none. */
  readTestReport(of: {
    readonly orgId: string
    readonly repositoryExternalId: string
    readonly runId: string
  }): Promise<CodehostTestReport | undefined>
  /** Reads the test results of the run that made a deployment; `undefined` where either is not known. */
  readDeployingReport(of: {
    readonly orgId: string
    readonly repositoryExternalId: string
    readonly deploymentExternalId: string
  }): Promise<DeployingReport | undefined>
}

/** Holds the test results of the run that made a deployment. */
export interface DeployingReport {
  readonly report: CodehostTestReport
  /** The page of the run; `null` where the host has none any more. */
  readonly url: string | null
  readonly testedSha: string | null
}

/** Describes what starting workflows works with. */
export interface DispatchDeps extends TestRunDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly runner: TestRunner
}
