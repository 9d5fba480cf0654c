import type { Emit } from '../jobs/emit.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { CodehostRun, WorkflowDeclaration, WorkflowStart } from '../providers/codehost.ts'
import type { Store } from '../store/store.ts'

export interface TestRunDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly emit: Emit<'testRun.changed'>
  readonly now: () => Date
}

/** Where a workflow is. Numbers of the code host. */
export interface WorkflowPlace {
  readonly orgId: string
  readonly repositoryExternalId: string
  /** The number, or the file's name such as `e2e.yml`. */
  readonly workflowId: string
}

/** What a workflow is started with. Those of `inputs` that it does not declare are left out by whoever sends them. */
export interface DispatchRequest extends WorkflowPlace {
  /** A branch or tag. */
  readonly ref: string
  readonly inputs: Readonly<Record<string, string>>
}

/**
 * What test runs ask of the code host. No call is made inside of a transaction.
 *
 * @throws {ProviderError | Problem} when the code host cannot be asked: see `refusal-of.ts`.
 */
export interface TestRunner {
  /** What the workflow takes on a branch or tag; `undefined`: that cannot be read. */
  readDeclaration(
    place: WorkflowPlace & { readonly ref: string },
  ): Promise<WorkflowDeclaration | undefined>
  /** Starts a workflow, once at most. What it throws, but for a bug, says that nothing was started. */
  dispatch(request: DispatchRequest): Promise<WorkflowStart>
  /** The runs of a workflow that were started by hand from `from` to `to`. */
  findRuns(
    place: WorkflowPlace & { readonly from: Date; readonly to: Date },
  ): Promise<readonly CodehostRun[]>
  /** One run, or `undefined` when there is none. */
  readRun(of: {
    readonly orgId: string
    readonly repositoryExternalId: string
    readonly runId: string
  }): Promise<CodehostRun | undefined>
}

export interface DispatchDeps extends TestRunDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly runner: TestRunner
}
