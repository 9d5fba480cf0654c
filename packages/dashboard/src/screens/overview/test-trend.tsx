import { Link } from '@tanstack/react-router'
import { BarChart } from '../../charts/bar-chart.tsx'
import type { RenderColumn } from '../../charts/columns.tsx'
import { ChartTable } from '../../charts/chart-table.tsx'
import { GhostChart } from '../../charts/ghost-chart.tsx'
import { Legend } from '../../charts/legend.tsx'
import { LineChart } from '../../charts/line-chart.tsx'
import type { BarSeries } from '../../charts/stack-series.ts'
import { testRunVariants } from '../deployments/states.ts'
import { toDuration } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import {
  count,
  describeDurations,
  describeTests,
  formatRate,
  toDay,
  toPassRate,
  type TestRunItem,
} from './summaries.ts'
import { toShares } from './test-shares.ts'

/** Limits the runs, so that their bars stay distinguishable. */
const runCount = 60

/** Shows the share of tests that passed in each run, and its duration. */
export function TestTrend({ items: all }: { readonly items: readonly TestRunItem[] }) {
  const { slug } = useOrganization()
  const items = all.slice(-runCount)
  if (items.length === 0) {
    return <GhostChart>No test runs in this period</GhostChart>
  }
  const bars = toBars(items)
  const renderRun: RenderColumn = (at, column) => {
    const deploymentId = items[at]?.deploymentId ?? null
    return deploymentId === null ? (
      <span key={at} {...column} />
    ) : (
      <Link
        key={at}
        to="/$org/deployments/$deploymentId"
        params={{ org: slug, deploymentId }}
        {...column}
      />
    )
  }
  const labels = items.map(({ date }) => toDay(date))
  const summary = describeTests(items)
  return (
    <div className="flex flex-col gap-2">
      <BarChart
        summary={summary}
        labels={labels}
        series={bars}
        describe={(at) => describe(items[at])}
        height={120}
        largest={100}
        formatValue={(value) => `${value}%`}
        renderColumn={renderRun}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Legend series={bars} />
        <p className="text-sm text-muted">{summary}</p>
      </div>
      <h3 className="text-sm font-medium text-muted">Duration</h3>
      <LineChart
        summary={describeDurations(items)}
        labels={labels}
        durationsMs={items.map(({ durationMs }) => durationMs)}
        describe={(at) => `${labels[at]}: ${formatDuration(items[at]?.durationMs ?? null)}`}
        renderColumn={renderRun}
      />
      <RunTable items={items} />
    </div>
  )
}

function toBars(items: readonly TestRunItem[]): readonly BarSeries[] {
  const shares = items.map(toShares)
  return [
    { name: 'Passed', color: 'ok', texture: 'plain', values: shares.map(({ passed }) => passed) },
    { name: 'Flaky', color: 'warn', texture: 'dotted', values: shares.map(({ flaky }) => flaky) },
    {
      name: 'Failing',
      color: 'bad',
      texture: 'hatched',
      values: shares.map(({ failed }) => failed),
    },
  ]
}

function RunTable({ items }: { readonly items: readonly TestRunItem[] }) {
  return (
    <ChartTable
      caption="Test runs"
      columns={['Day', 'Result', 'Pass rate', 'Passed', 'Failing', 'Flaky', 'Duration']}
      rows={items.toReversed().map((item, at) => ({
        key: item.runId ?? String(at),
        cells: [
          <RunLink key="day" item={item} />,
          item.state === null ? '' : testRunVariants[item.state].word,
          formatPassRate(item),
          item.passed,
          item.failed,
          item.flaky,
          formatDuration(item.durationMs),
        ],
      }))}
    />
  )
}

function describe(item: TestRunItem | undefined): string {
  if (item === undefined) return ''
  const { date, passed, failed, flaky } = item
  const share = formatPassRate(item)
  return `${toDay(date)}: ${share}, ${passed} of ${count(passed + failed, 'test')} passed, ${failed} failing, ${flaky} flaky`
}

function formatPassRate(item: TestRunItem): string {
  const share = toPassRate([item])
  return share === null ? 'no counts' : formatRate(share)
}

function formatDuration(ms: number | null): string {
  return ms === null ? 'no data' : toDuration(ms)
}

function RunLink({ item: { date, deploymentId } }: { readonly item: TestRunItem }) {
  const { slug } = useOrganization()
  if (deploymentId === null) return toDay(date)
  return (
    <Link to="/$org/deployments/$deploymentId" params={{ org: slug, deploymentId }}>
      {toDay(date)}
    </Link>
  )
}
