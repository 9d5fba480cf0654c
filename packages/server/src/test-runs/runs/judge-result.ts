import { displayNameOfKind } from '../../providers/find-provider.ts'
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
  | 'reportNotes'
  | 'deadlineMinutes'
>

/** Judges what the result of a run is worth. `codehost`: the provider that the organization has connected. */
export function judgeResult(run: Judged, codehost?: string | null): Judgement {
  const host = displayNameOfKind('codehost', codehost)
  const isEnd = run.state === 'passed' || run.state === 'failed'
  const isOther = testsOther(run)
  const warnings = [
    isOther &&
      `The tests ran on commit ${short(run.testedSha)}, but ${short(run.deployedSha)} is deployed. The result applies to the tested commit.`,
    run.contaminatedBy !== null &&
      'Another deployment went live while the tests ran. The result doesn’t count, because they may have tested either one.',
    contradiction(run),
    ...run.reportNotes,
    run.state === 'timed_out' &&
      `The run reported nothing for ${run.deadlineMinutes} ${run.deadlineMinutes === 1 ? 'minute' : 'minutes'}. A late result still replaces this.`,
    run.stateReason === 'not_started' &&
      `The run did not start within 10 minutes. Check the workflow and the runners on ${host}.`,
    run.state === 'unknown' &&
      `Signalbox doesn’t know whether ${host} started the run, and found none. It doesn’t start it again automatically.`,
  ]
  return {
    warnings: warnings.filter((warning) => warning !== false),
    isCounted: isEnd && run.contaminatedBy === null && !isOther,
  }
}

function contradiction({ workflowOutcome, reportOutcome }: Judged): string | false {
  if (reportOutcome === 'passed' && isRed(workflowOutcome)) {
    return 'The report passed but the workflow failed: another step failed, or not all tests ran.'
  }
  if (reportOutcome === 'failed' && workflowOutcome === 'passed') {
    return 'The report has failures but the workflow passed: the workflow ignores failed tests.'
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
