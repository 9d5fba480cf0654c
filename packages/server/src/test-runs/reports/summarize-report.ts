import type { TestOutcome } from '../runs/test-run.ts'
import type { TestCase, TestReport } from './test-report.ts'

/** Describes the sums of a report, or of the shards of a run. */
export interface ReportSummary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly flaky: number
  readonly durationMs: number | null
  /** ISO 8601. */
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** Returns the sums of a report, counted from its tests: what it says of itself may be wrong. */
export function summarizeReport({ cases, startedAt, finishedAt }: TestReport): ReportSummary {
  const count = (fits: (testCase: TestCase) => boolean) => cases.filter(fits).length
  const sum = cases.reduce((total, { durationMs }) => total + (durationMs ?? 0), 0)
  const span =
    startedAt !== null && finishedAt !== null ? finishedAt.getTime() - startedAt.getTime() : -1
  return {
    passed: count(({ status }) => status === 'passed'),
    failed: count(({ status }) => status === 'failed'),
    skipped: count(({ status }) => status !== 'passed' && status !== 'failed'),
    flaky: count(({ flaky }) => flaky),
    durationMs: Math.round(span > 0 ? span : sum),
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}

/** Returns the sums of all shards. They ran side by side where they say when, and one after the other where they do not. */
export function mergeSummaries(shards: readonly ReportSummary[]): ReportSummary {
  const sum = (of: (shard: ReportSummary) => number) =>
    shards.reduce((total, shard) => total + of(shard), 0)
  const starts = shards.flatMap(({ startedAt }) => startedAt ?? []).sort()
  const ends = shards.flatMap(({ finishedAt }) => finishedAt ?? []).sort()
  const [startedAt = null, finishedAt = null] = [starts[0], ends.at(-1)]
  const isTimed = startedAt !== null && finishedAt !== null && starts.length === shards.length
  const span = isTimed ? Date.parse(finishedAt) - Date.parse(startedAt) : -1
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    flaky: sum(({ flaky }) => flaky),
    durationMs: span > 0 ? span : sum(({ durationMs }) => durationMs ?? 0),
    startedAt,
    finishedAt,
  }
}

/** Returns how a run ended by its reports: with a failure, with nothing that ran, or well. */
export function toOutcome({ passed, failed }: ReportSummary): TestOutcome {
  if (failed > 0) return 'failed'
  return passed > 0 ? 'passed' : 'skipped'
}

/**
 * Merges the cases of the same name into one, for what is known about it: parametrised tests share names. One that failed
 * anywhere has failed.
 */
export function mergeCases(cases: readonly TestCase[]): TestCase[] {
  const byName = new Map<string, TestCase>()
  for (const testCase of cases) {
    const key = `${testCase.suite}\0${testCase.name}`
    const known = byName.get(key)
    byName.set(key, known === undefined ? testCase : mergeTwo(known, testCase))
  }
  return [...byName.values()]
}

function mergeTwo(known: TestCase, repeated: TestCase): TestCase {
  const worse = known.status !== 'failed' && repeated.status === 'failed' ? repeated : known
  return {
    ...worse,
    retries: Math.max(known.retries, repeated.retries),
    flaky: known.flaky || repeated.flaky,
    durationMs: (known.durationMs ?? 0) + (repeated.durationMs ?? 0),
  }
}
