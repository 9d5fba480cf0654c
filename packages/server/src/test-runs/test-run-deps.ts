import type { Emit } from '../jobs/emit.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { CodehostRun } from '../providers/codehost.ts'
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
 * What became of a dispatch.
 *
 * - `started`: the code host names the run.
 * - `ambiguous`: it may have been started or not.
 * - `refused`: it was not, and will not be; `code` is the provider's, such as `not_found`.
 */
export type DispatchOutcome =
  | { readonly outcome: 'started'; readonly runId: string; readonly runUrl: string }
  | { readonly outcome: 'ambiguous' }
  | { readonly outcome: 'refused'; readonly code: string }

/** What test runs ask of the code host. No call is made inside of a transaction. */
export interface TestRunner {
  /** Starts a workflow. Sent once, whatever the answer. */
  dispatch(request: DispatchRequest): Promise<DispatchOutcome>
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
