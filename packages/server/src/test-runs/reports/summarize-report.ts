import type { TestOutcome } from '../runs/test-run.ts'
import type { TestCase, TestReport } from './test-report.ts'
import { hostShard } from './report-shard.ts'

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
  /** Says why this part of the run could not be read. Its counts are none. */
  readonly missing?: string
  /** Says how many parts its sender sends. Left out: this one alone. */
  readonly parts?: number
  /** Counts the tests that are in it several times, failed and passed. */
  readonly repeated?: number
}

/** Describes the sums of all parts of a run that have arrived. */
export interface RunSummary extends Omit<ReportSummary, 'missing' | 'parts' | 'repeated'> {
  readonly isWhole: boolean
  readonly isReadable: boolean
  /** Says what a reader has to know of the reports, one sentence each. */
  readonly notes: readonly string[]
}

/** Describes a part as it is stored. */
export interface StoredPart {
  readonly shard: string
  readonly summary: ReportSummary
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

/** Returns the summary of a part that is known not to be there. */
export function summarizeMissing(missing: string): ReportSummary {
  const none = { passed: 0, failed: 0, skipped: 0, flaky: 0, durationMs: null }
  return { ...none, startedAt: null, finishedAt: null, missing }
}

/** Returns the sums of all parts. They ran side by side where they say when, and one after the other where they do not. */
export function mergeSummaries(stored: readonly StoredPart[]): RunSummary {
  const shards = stored.map(({ summary }) => summary)
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
    isWhole: isWhole(shards),
    isReadable: shards.every(({ missing }) => missing === undefined),
    notes: [...noteMissing(stored), ...noteRepeated(sum(({ repeated = 0 }) => repeated))],
  }
}

/** Senders with equally many parts are told apart by nothing, so that there has to be a whole number of their sets. */
function isWhole(shards: readonly ReportSummary[]): boolean {
  const arrived = new Map<number, number>()
  for (const { parts = 1 } of shards) arrived.set(parts, (arrived.get(parts) ?? 0) + 1)
  return [...arrived].every(([parts, count]) => count % parts === 0)
}

const namedAtMost = 5
const isNamed = (shard: string) => !shard.startsWith('sha256:') && shard !== hostShard

function noteMissing(stored: readonly StoredPart[]): string[] {
  const missing = stored.filter(({ summary }) => summary.missing !== undefined)
  const named = missing.slice(0, namedAtMost).map(({ shard, summary }) => {
    const part = isNamed(shard) ? `The report ${shard}` : 'A report'
    return `${part} is missing from the result: ${summary.missing}`
  })
  const more = missing.length - named.length
  return more > 0 ? [...named, `${more} more of the reports are missing.`] : named
}

function noteRepeated(count: number): string[] {
  if (count === 0) return []
  const tests = count === 1 ? '1 test is' : `${count} tests are`
  return [
    `${tests} in a report several times, failed and passed, and each counts. If the runner repeated what failed, upload the report with --repeats retries.`,
  ]
}

/** Returns how a run stands by its reports. It has passed only when all of it is there and was read, and something ran. */
export function toOutcome({
  passed,
  failed,
  isWhole: hasAll,
  isReadable,
}: RunSummary): TestOutcome | 'running' {
  if (failed > 0) return 'failed'
  if (!hasAll) return 'running'
  if (!isReadable) return 'errored'
  return passed > 0 ? 'passed' : 'skipped'
}

/** Returns how many tests are in a report several times, failed and passed. */
export function countRepeated(cases: readonly TestCase[]): number {
  const statuses = new Map<string, Set<string>>()
  for (const testCase of cases) {
    const key = keyOf(testCase)
    statuses.set(key, (statuses.get(key) ?? new Set()).add(testCase.status))
  }
  return [...statuses.values()].filter((set) => set.has('failed') && set.has('passed')).length
}

/** Merges the cases of the same name into the last of them, which the ones before were tries of. */
export function mergeRetries(cases: readonly TestCase[]): TestCase[] {
  const byName = new Map<string, TestCase>()
  for (const testCase of cases) {
    const known = byName.get(keyOf(testCase))
    byName.set(keyOf(testCase), known === undefined ? testCase : retry(known, testCase))
  }
  return [...byName.values()]
}

function retry(known: TestCase, last: TestCase): TestCase {
  const hadFailed = known.flaky || known.status === 'failed'
  return {
    ...last,
    retries: Math.min(1000, known.retries + last.retries + 1),
    flaky: last.flaky || (last.status === 'passed' && hadFailed),
    durationMs: (known.durationMs ?? 0) + (last.durationMs ?? 0),
    message: last.message ?? known.message,
  }
}

function keyOf({ suite, name }: TestCase): string {
  return `${suite}\0${name}`
}

/**
 * Merges the cases of the same name into one, for what is known about it: parametrised tests share names. One that failed
 * anywhere has failed.
 */
export function mergeCases(cases: readonly TestCase[]): TestCase[] {
  const byName = new Map<string, TestCase>()
  for (const testCase of cases) {
    const key = keyOf(testCase)
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
