import type { CodehostRun } from '../../providers/codehost.ts'
import {
  ranks,
  startLimitMs,
  type ResultSource,
  type TestOutcome,
  type TestRun,
} from './test-run.ts'

/** Describes how a run stands, as one source tells it. What is left out is not known to it. */
export interface RunReport {
  readonly source: ResultSource
  /** Left out: the attempt that the run is at. */
  readonly attempt?: number
  readonly state?: 'queued' | 'running' | TestOutcome | undefined
  /** When it was so. */
  readonly at: Date
  readonly startedAt?: Date | null
  readonly durationMs?: number | null
  readonly testedSha?: string | null
  readonly externalId?: string
  readonly url?: string | null
  readonly counts?: RunCounts
}

/** Holds the sums of the tests of a run. */
export interface RunCounts {
  readonly passed: number | null
  readonly failed: number | null
  readonly skipped: number | null
  readonly flaky?: number | null
}

/** Returns what a code host's run says of ours; `undefined` where it says nothing that is understood. */
export function toRunReport(run: CodehostRun): RunReport | undefined {
  const { state, startedAt, updatedAt } = run
  if (state === 'unknown') return undefined
  const isOver = state !== 'queued' && state !== 'running'
  return {
    source: 'workflow',
    attempt: run.attempt,
    state,
    at: updatedAt,
    // The host gives a run that waits a time of start already.
    startedAt: state === 'queued' ? null : startedAt,
    durationMs:
      isOver && startedAt !== null ? Math.max(0, updatedAt.getTime() - startedAt.getTime()) : null,
    testedSha: run.headSha,
    externalId: run.externalId,
    url: run.url,
  }
}

/**
 * Returns the run after a report. Reports arrive late, twice and shuffled: the attempt decides first, the rank second. An end that
 * we assumed gives way to any that is told; among those that are told the first source keeps the word, and the others
 * stand beside it, so that a contradiction can be shown.
 */
export function mergeRun(run: TestRun, report: RunReport): TestRun {
  const attempt = report.attempt ?? run.attempt
  if (attempt < run.attempt) return run
  const base = attempt > run.attempt ? reopen(run, attempt) : run
  return mergeState(mergeDetails(base, report), report)
}

/** The next attempt knows nothing of what the one before it came to. */
function reopen(run: TestRun, attempt: number): TestRun {
  return {
    ...run,
    attempt,
    state: 'planned',
    stateRank: ranks.planned,
    stateReason: null,
    testedSha: null,
    passed: null,
    failed: null,
    skipped: null,
    flaky: null,
    durationMs: null,
    contaminatedBy: null,
    decidedBy: null,
    workflowOutcome: null,
    reportOutcome: null,
    startedAt: null,
    finishedAt: null,
  }
}

function mergeDetails(run: TestRun, report: RunReport): TestRun {
  const { externalId = null, url = null, startedAt = null } = report
  return {
    ...run,
    ...mergeCounts(run, report),
    externalId: run.externalId ?? externalId,
    url: run.url ?? url,
    testedSha: mergeSha(run, report),
    startedAt: earlier(run.startedAt, startedAt),
    durationMs: mergeDuration(run, report),
  }
}

/** The code host knows the commit best. */
function mergeSha({ testedSha: known }: TestRun, { source, testedSha = null }: RunReport) {
  return source === 'workflow' ? (testedSha ?? known) : (known ?? testedSha)
}

/** The code host measures the whole run, a report only its tests. */
function mergeDuration(run: TestRun, { source, durationMs = null }: RunReport): number | null {
  const isTimed = source === 'workflow' || run.workflowOutcome === null
  return isTimed ? (durationMs ?? run.durationMs) : run.durationMs
}

/** A report counts its tests, and knows better than a sum that was told. */
function mergeCounts(run: TestRun, { source, counts }: RunReport): Partial<TestRun> {
  if (counts === undefined || (source !== 'report' && run.reportOutcome !== null)) return {}
  return {
    passed: counts.passed ?? run.passed,
    failed: counts.failed ?? run.failed,
    skipped: counts.skipped ?? run.skipped,
    flaky: counts.flaky ?? run.flaky,
  }
}

function mergeState(run: TestRun, report: RunReport): TestRun {
  const { state } = report
  if (state === undefined) return run
  if (state === 'queued' || state === 'running') return mergeProgress(run, state, report)
  return mergeEnd(run, state, report)
}

function mergeProgress(
  run: TestRun,
  state: 'queued' | 'running',
  { source, at, startedAt }: RunReport,
): TestRun {
  const stateRank = ranks[state]
  if (stateRank <= run.stateRank) return run
  if (state === 'queued') {
    // A run that is reported by hand is waited for at its end only.
    const deadlineAt = source === 'workflow' ? after(at, startLimitMs) : run.deadlineAt
    return { ...run, state, stateRank, stateReason: null, deadlineAt }
  }
  const begunAt = run.startedAt ?? startedAt ?? at
  const deadlineAt = after(begunAt, run.deadlineMinutes * 60_000)
  return { ...run, state, stateRank, stateReason: null, startedAt: begunAt, deadlineAt }
}

function mergeEnd(run: TestRun, state: TestOutcome, { source, at }: RunReport): TestRun {
  const reported = {
    ...run,
    ...(source === 'workflow' && { workflowOutcome: state }),
    ...(source === 'report' && { reportOutcome: state }),
  }
  const isDecided = run.stateRank === ranks.end && run.decidedBy !== source
  if (isDecided) return reported
  return {
    ...reported,
    state,
    stateRank: ranks.end,
    stateReason: null,
    decidedBy: source,
    finishedAt: at,
    startedAt: earlier(run.startedAt, at),
    deadlineAt: null,
  }
}

function after(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms)
}

function earlier(known: Date | null, other: Date | null): Date | null {
  if (known === null || other === null) return known ?? other
  return known <= other ? known : other
}
