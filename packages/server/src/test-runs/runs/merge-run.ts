import type { CodehostRun } from '../../providers/codehosts/run.ts'
import {
  ranks,
  startLimitMs,
  type ResultSource,
  type TestOutcome,
  type TestRun,
} from './test-run.ts'

/** Describes the state of a run as one source reports it. The source does not know what is left out. */
export interface RunReport {
  readonly source: ResultSource
  /** Left out: the attempt that the run is at. */
  readonly attempt?: number
  readonly state?: 'queued' | 'running' | TestOutcome | undefined
  /** A code of ours that explains the state. */
  readonly reason?: string
  /** Says what a reader has to know of the reports. */
  readonly notes?: readonly string[]
  /** The moment of that state. */
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

/** Returns the report that a code host's run makes of ours; `undefined` for a state that is not known here. */
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
 * Returns the run after a report. Reports arrive late, twice and in any order: the attempt decides first, the rank
 * second. A reported end replaces an assumed one. If several sources report an end, the first one decides, and the
 * others are stored beside it to show a contradiction. A run has passed only as long as no source contradicts that.
 */
export function mergeRun(run: TestRun, report: RunReport): TestRun {
  const attempt = report.attempt ?? run.attempt
  if (attempt < run.attempt) return run
  const base = attempt > run.attempt ? reopen(run, attempt) : run
  return mergeState(mergeDetails(base, report), report)
}

/** Begins the next attempt, without the results of the one before. */
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
    reportNotes: [],
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
    reportNotes: report.notes ?? run.reportNotes,
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

/** Merges the counts. Those of a report, which come from its tests, go before sums of another source. */
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

function mergeProgress(run: TestRun, state: 'queued' | 'running', report: RunReport): TestRun {
  const { source, at, startedAt } = report
  if (source === 'report') return mergeIncomplete(run, report)
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

/** Some parts of a report are not there yet. Until they are, no other source makes the run pass. */
function mergeIncomplete(run: TestRun, report: RunReport): TestRun {
  const isEndedByOther = run.stateRank === ranks.end && run.decidedBy !== 'report'
  if (isEndedByOther) return mergeEnd(run, 'errored', { ...report, reason: missing })
  return {
    ...run,
    state: 'running',
    stateRank: ranks.running,
    stateReason: null,
    decidedBy: null,
    reportOutcome: 'errored',
    startedAt: run.startedAt ?? report.at,
    finishedAt: null,
    deadlineAt: after(report.at, run.deadlineMinutes * 60_000),
  }
}

const missing = 'report_missing'

function mergeEnd(run: TestRun, outcome: TestOutcome, report: RunReport): TestRun {
  const { source, at, reason = null } = report
  const reported = {
    ...run,
    ...(source === 'workflow' && { workflowOutcome: outcome }),
    ...(source === 'report' && { reportOutcome: outcome }),
  }
  const state = outcome === 'passed' && isCountedFailed(reported) ? 'failed' : outcome
  const isDecided = run.stateRank === ranks.end && run.decidedBy !== source
  if (isDecided && (run.state !== 'passed' || state === 'passed')) return reported
  return decide(reported, objection(reported, state) ?? { state, source, reason }, at)
}

/** The counts of a report have come to an outcome of their own. */
function isCountedFailed({ reportOutcome, failed }: TestRun): boolean {
  return reportOutcome === null && failed !== null && failed > 0
}

interface Decision {
  readonly state: TestOutcome
  readonly source: ResultSource
  readonly reason: string | null
}

/** Returns the report of another source that contradicts a run's success. */
function objection(
  { workflowOutcome, reportOutcome }: TestRun,
  state: TestOutcome,
): Decision | undefined {
  if (state !== 'passed') return undefined
  if (workflowOutcome !== null && workflowOutcome !== 'passed') {
    return { state: workflowOutcome, source: 'workflow', reason: null }
  }
  if (reportOutcome === null || reportOutcome === 'passed') return undefined
  const reason = reportOutcome === 'errored' ? missing : null
  return { state: reportOutcome, source: 'report', reason }
}

function decide(run: TestRun, { state, source, reason }: Decision, at: Date): TestRun {
  return {
    ...run,
    state,
    stateRank: ranks.end,
    stateReason: reason,
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
