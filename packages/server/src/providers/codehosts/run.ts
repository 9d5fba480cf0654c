import { dispatchRunStates } from '@signalbox/contract/rest'

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

/** Holds the runs that a search has read. */
export interface RequestedRuns {
  readonly runs: readonly CodehostRun[]
  /** False where the host has more runs of that time than were read: one that is missing here may be among those. */
  readonly isComplete: boolean
}
