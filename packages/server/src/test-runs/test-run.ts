import type { TestRunState } from '@signalbox/contract/rest'

/** Who tells how a run ended. */
export type ResultSource = 'workflow' | 'report' | 'api'

/** How a run ended, as one source tells it. */
export type TestOutcome = 'passed' | 'failed' | 'errored' | 'cancelled' | 'skipped'

/** A test run as it is stored. */
export interface TestRun {
  readonly id: string
  /** `null`: of a commit, not of a deployment. */
  readonly deploymentId: string | null
  readonly environmentId: string | null
  readonly repositoryId: string | null
  /** The workflow that our settings name. `null`: recorded by a pipeline. */
  readonly ruleKey: string | null
  readonly name: string
  readonly workflowId: string | null
  /** The code host's number of the run. */
  readonly externalId: string | null
  /** A run that is repeated keeps its number and counts its attempts from 1. */
  readonly attempt: number
  readonly state: TestRunState
  readonly stateRank: number
  /** A code of ours, such as `not_started`. */
  readonly stateReason: string | null
  readonly requestedRef: string | null
  readonly deployedSha: string | null
  readonly testedSha: string | null
  readonly passed: number | null
  readonly failed: number | null
  readonly skipped: number | null
  readonly flaky: number | null
  readonly durationMs: number | null
  readonly url: string | null
  readonly contaminatedBy: string | null
  /** Which source decided the state first in this attempt. */
  readonly decidedBy: ResultSource | null
  readonly workflowOutcome: TestOutcome | null
  readonly reportOutcome: TestOutcome | null
  readonly dispatchedAt: Date | null
  readonly deadlineMinutes: number
  readonly deadlineAt: Date | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

/** What asks for a run where a person does. */
export function askedRuleKey(runId: string): string {
  return `asked:${runId}`
}

/** Whether a person asked for a run: nobody else starts it once more. */
export function isAsked({ ruleKey }: Pick<TestRun, 'ruleKey'>): boolean {
  return ruleKey?.startsWith('asked:') ?? false
}

/** How long a run may take to begin, from the moment it was asked for. */
export const startLimitMs = 10 * 60_000

/** Ranks within one attempt. An end that we only assumed is below one that somebody told us. */
export const ranks = {
  planned: 0,
  dispatching: 1,
  unknown: 2,
  queued: 3,
  running: 4,
  assumedEnd: 5,
  end: 6,
} as const

/** A run that nothing has been heard of. */
export function newTestRun(
  given: Pick<TestRun, 'id' | 'name' | 'createdAt'> & Partial<TestRun>,
): TestRun {
  return {
    deploymentId: null,
    environmentId: null,
    repositoryId: null,
    ruleKey: null,
    workflowId: null,
    externalId: null,
    attempt: 1,
    state: 'planned',
    stateRank: ranks.planned,
    stateReason: null,
    requestedRef: null,
    deployedSha: null,
    testedSha: null,
    passed: null,
    failed: null,
    skipped: null,
    flaky: null,
    durationMs: null,
    url: null,
    contaminatedBy: null,
    decidedBy: null,
    workflowOutcome: null,
    reportOutcome: null,
    dispatchedAt: null,
    deadlineMinutes: 60,
    deadlineAt: null,
    startedAt: null,
    finishedAt: null,
    ...given,
  }
}
