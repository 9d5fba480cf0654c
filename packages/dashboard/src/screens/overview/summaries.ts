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

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

/** Returns the summary of the chart of deployments per day. */
export function describeDeployments({ items, total }: DeploymentSeries): string {
  const most = items.toSorted((a, b) => b.deployed + b.failed - a.deployed - a.failed)[0]
  const failures =
    total.failureRate === null
      ? `${total.failed} failed`
      : `${total.failed} failed (${percent.format(total.failureRate)})`
  const peak =
    most === undefined || most.deployed + most.failed === 0
      ? ''
      : ` Busiest day: ${toDay(most.date)}, with ${most.deployed + most.failed}.`
  const all = count(total.deployed + total.failed, 'deployment')
  return `${all} in ${count(items.length, 'day')}, ${failures}.${peak}`
}

/** Returns the summary of the chart of the lead time. */
export function describeLeadTime({ items, total }: DeploymentSeries): string {
  const known = items.filter(({ medianLeadTimeMs }) => medianLeadTimeMs !== null)
  const { date, medianLeadTimeMs: newest = null } = known.at(-1) ?? {}
  if (total.medianLeadTimeMs === null || date === undefined || newest === null)
    return 'The lead time is not known.'
  return `Median lead time: ${toDuration(total.medianLeadTimeMs)}; on ${toDay(date)}, ${toDuration(newest)}.`
}

/** Returns the summary of the chart of the tests. */
export function describeTests(items: readonly TestRunItem[]): string {
  const failing = items.filter(({ failedRuns }) => failedRuns > 0).length
  const flaky = items.filter((item) => item.flaky > 0).length
  return `${count(items.length, 'test run')}: ${failing} did not pass, ${flaky} had flaky tests.`
}

/** Returns the summary of the chart of the tests' durations. */
export function describeDurations(items: readonly TestRunItem[]): string {
  const known = items.flatMap(({ durationMs }) => durationMs ?? [])
  const last = known.at(-1)
  if (last === undefined) return 'How long the test runs took is not known.'
  const [shortest, longest] = [Math.min(...known), Math.max(...known)].map(toDuration)
  return `Test runs took between ${shortest} and ${longest}; the last one ${toDuration(last)}.`
}
