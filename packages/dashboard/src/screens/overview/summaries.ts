import type { AnswerOf } from '../../api/routes.ts'
import { toDuration } from '../../components/time.tsx'

/** Describes the number of deployments per day. */
export type DeploymentSeries = AnswerOf<'GET /organizations/{org_id}/series/deployments'>
/** Describes one test run of a series. */
export type TestRunItem = AnswerOf<'GET /organizations/{org_id}/series/test-runs'>['items'][number]

const dayFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** Returns a day as an axis shows it: `7 Oct`. */
export function toDay(date: string): string {
  return dayFormat.format(new Date(`${date}T00:00:00Z`))
}

/** Returns a number with its noun: `1 deployment`, `2 deployments`. */
export function count(amount: number, one: string): string {
  return `${amount} ${one}${amount === 1 ? '' : 's'}`
}

/**
 * Returns the summary of the chart of deployments per day. It has no rate: the bars are what failed at once, and the change fail
 * rate beside them counts what was undone later too.
 */
export function describeDeployments({ items, total }: DeploymentSeries): string {
  const most = items.toSorted((a, b) => b.deployed + b.failed - a.deployed - a.failed)[0]
  const peak =
    most === undefined || most.deployed + most.failed === 0
      ? ''
      : ` Busiest day: ${toDay(most.date)}, with ${most.deployed + most.failed}.`
  const all = count(total.deployed + total.failed, 'deployment')
  return `${all} in ${count(items.length, 'day')}, ${total.failed} failed.${peak}`
}

/** Returns a lead time: a duration, or that it is shorter than what anybody measures it in. */
export function toLeadTime(ms: number): string {
  return ms < 60_000 ? 'under a minute' : toDuration(ms)
}

/** Returns the share of the tests that passed, 0 to 1; `null` where no test was counted. */
export function toPassRate(runs: readonly Pick<TestRunItem, 'passed' | 'failed'>[]): number | null {
  const passed = runs.reduce((sum, run) => sum + run.passed, 0)
  const failed = runs.reduce((sum, run) => sum + run.failed, 0)
  return passed + failed === 0 ? null : passed / (passed + failed)
}

const rate = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

/** Returns a rate in per cent, rounded to one decimal. Only none is 0 and only all is 100: 99.98 is shown as 99.9. */
export function formatRate(share: number): string {
  const isWhole = share === 0 || share === 1
  return rate.format(isWhole ? share : Math.min(0.999, Math.max(0.001, share)))
}

/** Returns the summary of the chart of the lead time. */
export function describeLeadTime({ items, total }: DeploymentSeries): string {
  const known = items.filter(({ medianLeadTimeMs }) => medianLeadTimeMs !== null)
  const { date, medianLeadTimeMs: newest = null } = known.at(-1) ?? {}
  if (total.medianLeadTimeMs === null || date === undefined || newest === null)
    return 'No lead-time data yet.'
  return `Median lead time: ${toLeadTime(total.medianLeadTimeMs)}; on ${toDay(date)}, ${toLeadTime(newest)}.`
}

/** Returns the summary of the chart of the tests. */
export function describeTests(items: readonly TestRunItem[]): string {
  const failing = items.filter(({ failedRuns }) => failedRuns > 0).length
  const flaky = items.filter((item) => item.flaky > 0).length
  const share = toPassRate(items)
  const passed = share === null ? '' : ` Pass rate: ${formatRate(share)}.`
  return `${count(items.length, 'test run')}: ${failing} did not pass, ${flaky} had flaky tests.${passed}`
}

/** Returns the summary of the chart of the tests' durations. */
export function describeDurations(items: readonly TestRunItem[]): string {
  const known = items.flatMap(({ durationMs }) => durationMs ?? [])
  const last = known.at(-1)
  if (last === undefined) return 'No test run reported its duration.'
  const [shortest, longest] = [Math.min(...known), Math.max(...known)].map(toDuration)
  return `Test runs took between ${shortest} and ${longest}; the last one ${toDuration(last)}.`
}
