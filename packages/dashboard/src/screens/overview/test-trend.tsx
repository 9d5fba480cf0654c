import { Link } from '@tanstack/react-router'
import { BarChart } from '../../charts/bar-chart.tsx'
import { ChartTable } from '../../charts/chart-table.tsx'
import { GhostChart } from '../../charts/ghost-chart.tsx'
import { Legend } from '../../charts/legend.tsx'
import { LineChart } from '../../charts/line-chart.tsx'
import type { BarSeries } from '../../charts/stack-series.ts'
import { testRunVariants } from '../deployments/states.ts'
import { toDuration } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { describeDurations, describeTests, toDay, type TestRunItem } from './summaries.ts'

/** Limits the runs, so that their bars stay distinguishable. */
const runCount = 60

/** Shows the failing and flaky tests of each run, and its duration. */
export function TestTrend({ items: all }: { readonly items: readonly TestRunItem[] }) {
  const items = all.slice(-runCount)
  if (items.length === 0) {
    return <GhostChart>Appears once tests ran on a deployment in these days.</GhostChart>
  }
  const bars: readonly BarSeries[] = [
    {
      name: 'Failing',
      color: 'bad',
      texture: 'hatched',
      values: items.map(({ failed }) => failed),
    },
    { name: 'Flaky', color: 'warn', texture: 'dotted', values: items.map(({ flaky }) => flaky) },
  ]
  const labels = items.map(({ date }) => toDay(date))
  const summary = describeTests(items)
  return (
    <div className="flex flex-col gap-2">
      <BarChart
        summary={summary}
        labels={labels}
        series={bars}
        marks={items.map(({ failedRuns, flaky }) => failedRuns === 0 && flaky === 0)}
        describe={(at) => describe(items[at])}
        height={120}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Legend series={bars} mark="All passed" />
        <p className="text-sm text-muted">{summary}</p>
      </div>
      <h3 className="text-sm font-medium text-muted">Duration</h3>
      <LineChart
        summary={describeDurations(items)}
        labels={labels}
        durationsMs={items.map(({ durationMs }) => durationMs)}
        describe={(at) => `${labels[at]}: ${formatDuration(items[at]?.durationMs ?? null)}`}
      />
      <ChartTable
        caption="Test runs"
        columns={['Day', 'Result', 'Passed', 'Failing', 'Flaky', 'Duration']}
        rows={items.toReversed().map((item, at) => ({
          key: item.runId ?? String(at),
          cells: [
            <RunLink key="day" item={item} />,
            item.state === null ? '' : testRunVariants[item.state].word,
            item.passed,
            item.failed,
            item.flaky,
            formatDuration(item.durationMs),
          ],
        }))}
      />
    </div>
  )
}

function describe(item: TestRunItem | undefined): string {
  if (item === undefined) return ''
  const { date, passed, failed, flaky } = item
  return `${toDay(date)}: ${passed} passed, ${failed} failing, ${flaky} flaky`
}

function formatDuration(ms: number | null): string {
  return ms === null ? 'not known' : toDuration(ms)
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
