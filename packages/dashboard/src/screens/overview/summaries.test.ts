import { describe, expect, it } from 'vitest'
import {
  describeDeployments,
  describeDurations,
  describeLeadTime,
  describeTests,
  formatRate,
  toPassRate,
  type DeploymentSeries,
  type TestRunItem,
} from './summaries.ts'

const item = { date: '2026-11-07', deployed: 4, failed: 1, medianLeadTimeMs: 7_200_000 }
const series: DeploymentSeries = {
  timeZone: 'UTC',
  items: [{ date: '2026-11-06', deployed: 1, failed: 0, medianLeadTimeMs: null }, item],
  total: { deployed: 5, failed: 1, medianLeadTimeMs: 3_600_000, failureRate: 1 / 6 },
}
const run: TestRunItem = {
  date: '2026-11-07',
  runId: null,
  deploymentId: null,
  state: null,
  runs: 1,
  failedRuns: 0,
  passed: 412,
  failed: 0,
  skipped: 0,
  flaky: 0,
  durationMs: 74_000,
}

describe('what a picture says', () => {
  it('names totals, failures and the most on a day', () => {
    expect(describeDeployments(series)).toMatch(
      /^6 deployments in 2 days, 1 failed\. Busiest day: .*7.*, with 5\.$/,
    )
    const none = { ...series.total, deployed: 0, failed: 0, failureRate: null }
    expect(describeDeployments({ ...series, items: [], total: none })).toBe(
      '0 deployments in 0 days, 0 failed.',
    )
  })

  it('names the lead time of all, and of the last day that has one', () => {
    expect(describeLeadTime(series)).toMatch(/^Median lead time: (60 min|1 h)/)
    expect(describeLeadTime(series)).toContain('2 h')
    expect(describeLeadTime({ ...series, items: [] })).toBe('No lead-time data yet.')
  })

  it('calls a lead time of some seconds under a minute', () => {
    const total = { ...series.total, medianLeadTimeMs: 1 }
    const items = [{ ...item, medianLeadTimeMs: 0 }]
    const text = describeLeadTime({ ...series, items, total })
    expect(text).toMatch(/^Median lead time: under a minute; on .*, under a minute\.$/)
  })

  it('tells a run of 4 tests from one of 412', () => {
    expect(toPassRate([{ passed: 3, failed: 1 }])).toBe(0.75)
    expect(toPassRate([{ passed: 0, failed: 0 }])).toBeNull()
  })

  it.each([
    [4999 / 5000, '99.9'],
    [1, '100'],
    [1 / 5000, '0.1'],
    [0, '0'],
    [2 / 7, '28.6'],
    [3 / 10, '30'],
  ])(
    'rounds the rate %d to %s per cent, and neither a failure nor a success away',
    (share, percent) => {
      expect(formatRate(share).replaceAll(/[\s%]/g, '')).toBe(percent)
    },
  )

  it('counts the runs that did not pass and those with flaky tests', () => {
    const runs = [{ ...run, failedRuns: 1, durationMs: 80_000 }, { ...run, flaky: 2 }, run]
    expect(describeTests(runs)).toBe(
      '3 test runs: 1 did not pass, 1 had flaky tests. Pass rate: 100%.',
    )
    expect(describeDurations(runs)).toBe('Test runs took between 74 s and 80 s; the last one 74 s.')
    expect(describeDurations([{ ...run, durationMs: null }])).toBe(
      'No test run reported its duration.',
    )
  })
})
