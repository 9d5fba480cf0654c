import type { Gate, GateReason, GateState } from '@signalbox/contract/rest'
import type { Author } from '../audit/audit-event.ts'

/** Describes a gate as it is stored. */
export interface GateRow {
  readonly id: string
  readonly name: string
  readonly environmentIds: readonly string[]
  readonly repositories: readonly string[]
  readonly mode: Gate['mode']
  readonly rules: Gate['rules']
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Describes a deployment that asked whether it may go on, and the answer, as they are stored. */
export interface DecisionRow {
  readonly id: string
  readonly repositoryId: string
  readonly sha: string
  readonly ref: string | null
  readonly isFork: boolean
  readonly hostEnvironment: string
  readonly environmentId: string | null
  readonly runId: string
  readonly attempt: number
  readonly runUrl: string | null
  readonly hostDeploymentId: string | null
  readonly via: 'rule' | 'step'
  readonly state: GateState
  readonly reasons: readonly GateReason[]
  readonly waitedFor: string | null
  readonly askedAt: Date
  /** Holds when it was asked last. */
  readonly heardAt: Date
  readonly decidedAt: Date | null
  readonly decidedBy: Author | null
  readonly comment: string | null
  readonly answerState: 'none' | 'waiting' | 'sent' | 'given_up'
  readonly answerDetail: string | null
  /** Counts what was decided about it, so that an older answer notes nothing. */
  readonly fence: number
  readonly commentsSent: number
  readonly commentedAt: Date | null
  /** Holds the newest comment that was sent to the code host. */
  readonly commented: string | null
}

/** Describes what a gate decides. */
export interface Judgement {
  readonly state: 'waiting' | 'passed' | 'refused'
  readonly reasons: readonly GateReason[]
  /** Says what it waits for, after *Waits for*. `null`: nothing. */
  readonly waitsFor: string | null
}
