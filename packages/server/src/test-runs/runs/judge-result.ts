import type { TestRun } from './test-run.ts'

/** Describes what the result of a run is worth. */
export interface Judgement {
  /** Sentences that a reader should know before trusting the result. */
  readonly warnings: readonly string[]
  /** The result says something about the deployment: for gates, and for what is called flaky. */
  readonly isCounted: boolean
}

/** Describes a run as far as its result is judged. */
export type Judged = Pick<
  TestRun,
  | 'state'
  | 'stateReason'
  | 'deployedSha'
  | 'testedSha'
  | 'contaminatedBy'
  | 'workflowOutcome'
  | 'reportOutcome'
  | 'deadlineMinutes'
>

/** Judges what the result of a run is worth. */
export function judgeResult(run: Judged): Judgement {
  const isEnd = run.state === 'passed' || run.state === 'failed'
  const isOther = testsOther(run)
  const warnings = [
    isOther &&
      `Tested was commit ${short(run.testedSha)}, deployed is ${short(run.deployedSha)}. The result is about the former.`,
    run.contaminatedBy !== null &&
      'Another deployment went live while the tests ran, so it is not known which one they saw. The result does not count.',
    contradiction(run),
    run.state === 'timed_out' &&
      `Nothing was heard of the run for ${run.deadlineMinutes} minutes. A result that still comes corrects this.`,
    run.stateReason === 'not_started' &&
      'The run did not start within 10 minutes. Look at the workflow and the runners of the code host.',
    run.state === 'unknown' &&
      'The code host did not say whether it started the run, and none was found. It is not started again by itself.',
  ]
  return {
    warnings: warnings.filter((warning) => warning !== false),
    isCounted: isEnd && run.contaminatedBy === null && !isOther,
  }
}

function contradiction({ workflowOutcome, reportOutcome }: Judged): string | false {
  if (reportOutcome === 'passed' && isRed(workflowOutcome)) {
    return 'The report is green but the workflow failed: something besides the tests went wrong, or not all of them ran.'
  }
  if (reportOutcome === 'failed' && workflowOutcome === 'passed') {
    return 'The report has failures but the workflow passed: it does not fail when its tests do.'
  }
  return false
}

function isRed(outcome: Judged['workflowOutcome']): boolean {
  return outcome === 'failed' || outcome === 'errored'
}

/** One of the two may be shortened. */
function testsOther({ deployedSha, testedSha }: Judged): boolean {
  if (deployedSha === null || testedSha === null) return false
  return !deployedSha.startsWith(testedSha) && !testedSha.startsWith(deployedSha)
}

function short(sha: string | null): string {
  return sha?.slice(0, 7) ?? ''
}
