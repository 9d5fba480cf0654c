import type { WorkflowDispatchState, dispatchRunStates } from '@signalbox/contract/rest'
import type { Author } from '../../audit/audit-event.ts'

export type DispatchRunState = (typeof dispatchRunStates)[number]

/** Describes a requested start of a workflow that tests no deployment. */
export interface WorkflowDispatch {
  readonly id: string
  readonly repositoryId: string
  /** The code host's id of the repository; `null` while only pipelines have reported it. */
  readonly repositoryExternalId: string | null
  readonly workflowId: string
  readonly ref: string
  readonly state: WorkflowDispatchState
  /** A code: why it was refused, or that no run was found. */
  readonly reason: string | null
  /** The code host's id of the run. */
  readonly externalId: string | null
  readonly url: string | null
  /** The state of its run, as the code host reported it last. */
  readonly runState: DispatchRunState | null
  readonly runFinishedAt: Date | null
  readonly requestedBy: Author
  readonly requestedAt: Date
}

/** Returns whether the run of a dispatch may still become known. */
export function isOpen({ state, externalId }: WorkflowDispatch): boolean {
  return externalId === null && (state === 'requested' || state === 'ambiguous')
}
