import type { TestRunItem } from './summaries.ts'

/** Holds the parts of a bar in per cent; together they are 100. */
export interface TestShares {
  readonly passed: number
  readonly flaky: number
  readonly failed: number
}

/** Keeps one failing test of some thousands visible. */
const leastShown = 4

/** Returns the parts of the bar of a run. A run without counts is one part, by its result. */
export function toShares({
  passed,
  failed,
  flaky,
  failedRuns,
}: Pick<TestRunItem, 'passed' | 'failed' | 'flaky' | 'failedRuns'>): TestShares {
  const total = passed + failed
  if (total === 0) {
    return failedRuns > 0
      ? { passed: 0, flaky: 0, failed: 100 }
      : { passed: 100, flaky: 0, failed: 0 }
  }
  const shareOf = (count: number) => (count === 0 ? 0 : Math.max(leastShown, (100 * count) / total))
  const failing = passed === 0 ? 100 : Math.min(shareOf(failed), 100 - leastShown)
  const unstable = Math.min(shareOf(Math.min(flaky, passed)), 100 - failing)
  return { passed: 100 - failing - unstable, flaky: unstable, failed: failing }
}
