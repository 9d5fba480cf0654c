import type { deploymentEndpoints, ResponseOf } from '@signalbox/contract/rest'

type Detail = ResponseOf<typeof deploymentEndpoints.getDeployment>

export type DeploymentState = Detail['state']
/** Lists how a deployment relates to the one before it. */
export type Relation = Detail['relation']
/** Lists the states of a test run. */
export type TestState = Detail['testRuns'][number]['state']
/** Lists the states of an issue of a deployment. */
export type IssueState = Detail['issues'][number]['state']

/** Describes a commit of a deployment. */
export interface CommitView {
  readonly sha: string
  readonly message: string
  readonly author: string | null
  readonly url: string | null
}

/** Describes an issue of a deployment. */
export interface IssueView {
  readonly key: string
  readonly state: IssueState
  readonly title: string | null
  readonly status: string | null
  readonly url: string | null
}

/** Describes a test run of a deployment. */
export interface TestRunView {
  readonly id: string
  readonly name: string
  readonly state: TestState
  readonly reason: string | null
  readonly passed: number | null
  readonly failed: number | null
  readonly skipped: number | null
  readonly flaky: number | null
  readonly durationMs: number | null
  readonly url: string | null
  /** Tells a reader what to know before trusting the result, one sentence each. */
  readonly warnings: readonly string[]
  /** Names of tests that failed, a few. */
  readonly failing: readonly string[]
  /** Says that a change of configuration asked for it. What it says is told of that change. */
  readonly isOfProof: boolean
}

/** Describes a test run as far as it decides about its deployment. */
type DecidingRun = Pick<TestRunView, 'state'> & Partial<Pick<TestRunView, 'isOfProof'>>

/** Describes what messages say of a deployment. All text of it is foreign: anybody who can push a commit wrote it. */
export interface DeploymentView {
  readonly id: string
  readonly environment: string
  readonly isProduction: boolean
  readonly repository: string
  readonly ref: string
  readonly sha: string
  readonly relation: Relation
  readonly state: DeploymentState
  readonly description: string | null
  readonly who: string | null
  /** From its creation to its end; `null` while it is under way. */
  readonly durationMs: number | null
  readonly url: string | null
  readonly logUrl: string | null
  readonly commits: readonly CommitView[]
  /** `commits` may hold fewer. */
  readonly commitCount: number
  readonly issues: readonly IssueView[]
  readonly testRuns: readonly TestRunView[]
  readonly configVersions: readonly { readonly schema: string; readonly version: number }[]
  /** Says what it waits or has waited for, or who let it go on. Left out: it went on without waiting, or did not ask. */
  readonly gate?: string | undefined
}

/** Names how a deployment ended, for messages about failures. `null`: not yet, or unknown. */
export type Outcome = 'success' | 'failure' | null

/** Returns how a deployment in a state ended. */
export function outcomeOf(state: DeploymentState): Outcome {
  switch (state) {
    case 'success':
    case 'superseded':
    case 'rolled_back':
      return 'success'
    case 'failure':
    case 'error':
      return 'failure'
    case 'waiting':
    case 'queued':
    case 'pending':
    case 'in_progress':
      return null
  }
}

/** Returns whether a test run says that something is wrong. */
export function isFailedRun(state: TestState): boolean {
  return state === 'failed' || state === 'errored' || state === 'timed_out'
}

/** Returns whether a test run says that something is wrong with its deployment. */
export function failsDeployment({ state, isOfProof = false }: DecidingRun): boolean {
  return isFailedRun(state) && !isOfProof
}

/** Returns whether there is a failure to report: its own, or that of its tests. */
export function isFailing(of: {
  readonly state: DeploymentState
  readonly testRuns: readonly DecidingRun[]
}): boolean {
  return outcomeOf(of.state) === 'failure' || of.testRuns.some(failsDeployment)
}

/** Describes a deployment as far as routes look at it. */
export interface MatchedDeployment {
  readonly state: DeploymentState
  readonly testRuns: readonly DecidingRun[]
  readonly environmentId: string | null
  /** Its full name. */
  readonly repository: string
  readonly ref: string
  readonly refKind: 'branch' | 'tag' | 'sha'
  /** Says how the one before it in the same environment ended. */
  readonly previousOutcome: Outcome
}
