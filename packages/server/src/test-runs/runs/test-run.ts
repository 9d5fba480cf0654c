import { dayMs } from '../../store/retention-rule.ts'
import type { TestRunState } from '@signalbox/contract/rest'

export type ResultSource = 'workflow' | 'report' | 'api'

/** Names how a run ended, as one source reports it. */
export type TestOutcome = 'passed' | 'failed' | 'errored' | 'cancelled' | 'skipped'

/** Limits how far ahead a deadline is: that of a rule is a day at most, from the start of the workflow. */
export const deadlineMsMax = 2 * dayMs

/** Describes a test run as it is stored. */
export interface TestRun {
  readonly id: string
  /** `null`: the run tests a commit, not a deployment. */
  readonly deploymentId: string | null
  readonly environmentId: string | null
  readonly repositoryId: string | null
  /** The workflow that our settings name. `null`: recorded by a pipeline. */
  readonly ruleKey: string | null
  readonly name: string
  readonly workflowId: string | null
  /** The code host's id of the run. */
  readonly externalId: string | null
  /** From 1: a run that is repeated keeps its id. */
  readonly attempt: number
  readonly state: TestRunState
  readonly stateRank: number
  /** A code of ours, such as `not_started`. */
  readonly stateReason: string | null
  readonly requestedRef: string | null
  readonly deployedSha: string | null
  readonly testedSha: string | null
  /** The version of configuration whose proof asked for it. */
  readonly configVersion: number | null
  readonly passed: number | null
  readonly failed: number | null
  readonly skipped: number | null
  readonly flaky: number | null
  /** Says what a reader has to know of the reports, one sentence each. */
  readonly reportNotes: readonly string[]
  readonly durationMs: number | null
  readonly url: string | null
  readonly contaminatedBy: string | null
  /** Names the source that decided the state first in this attempt. */
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

/** Returns the rule of a run that a person requested. */
export function askedRuleKey(runId: string): string {
  return `asked:${runId}`
}

/** Returns the rule of a run that tests a deployment again, after a further job has deployed at a moment. */
export function repeatedRuleKey(ruleKey: string, liveAt: Date): string {
  return `again:${ruleKey}@${liveAt.toISOString()}`
}

/** Returns whether a person requested a run: it is not started again by itself. */
export function isAsked({ ruleKey }: Pick<TestRun, 'ruleKey'>): boolean {
  return ruleKey?.startsWith('asked:') ?? false
}

/** Milliseconds within which a run begins, from the moment of its request. */
export const startLimitMs = 10 * 60_000

/** Ranks states within one attempt. An end that was only assumed is below one that a source reported. */
export const ranks = {
  planned: 0,
  dispatching: 1,
  unknown: 2,
  queued: 3,
  running: 4,
  assumedEnd: 5,
  end: 6,
} as const

/** Returns a run that no source has reported on yet. */
export function newTestRun(
  run: Pick<TestRun, 'id' | 'name' | 'createdAt'> & Partial<TestRun>,
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
    configVersion: null,
    passed: null,
    failed: null,
    skipped: null,
    flaky: null,
    reportNotes: [],
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
    ...run,
  }
}
