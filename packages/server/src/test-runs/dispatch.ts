import type { WorkflowDispatchState } from '@signalbox/contract/rest'
import type { Author } from '../audit/audit-event.ts'

/** A start of a workflow that somebody asked for and that tests no deployment, as it is stored. */
export interface WorkflowDispatch {
  readonly id: string
  readonly repositoryId: string
  /** The code host's number of the repository. */
  readonly repositoryExternalId: string
  readonly workflowId: string
  readonly ref: string
  readonly state: WorkflowDispatchState
  /** A code: why it was refused, or that no run was found. */
  readonly reason: string | null
  /** The code host's number of the run. */
  readonly externalId: string | null
  readonly url: string | null
  readonly requestedBy: Author
  readonly requestedAt: Date
}

/** Whether its run may still become known. */
export function isOpen({ state, externalId }: WorkflowDispatch): boolean {
  return externalId === null && (state === 'requested' || state === 'ambiguous')
}
