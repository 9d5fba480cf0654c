import { Link } from '@tanstack/react-router'
import { BarChart } from '../../charts/bar-chart.tsx'
import { ChartTable } from '../../charts/chart-table.tsx'
import { GhostChart } from '../../charts/ghost-chart.tsx'
import { Legend } from '../../charts/legend.tsx'
import type { BarSeries } from '../../charts/stack-series.ts'
import { useOrganization } from '../../session/organization.ts'
import { DayLink } from './day-link.tsx'
import { toDaySearch, useTrendFilter } from './trend-filter.tsx'
import { count, describeDeployments, toDay, type DeploymentSeries } from './summaries.ts'

/** Shows the deployments per day, with the failed ones on top. */
export function DeploymentTrend({ series }: { readonly series: DeploymentSeries }) {
  const { slug } = useOrganization()
  const filter = useTrendFilter()
  const { items, total } = series
  if (total.deployed + total.failed === 0) {
    return <GhostChart>No deployments in this period</GhostChart>
  }
  const bars: readonly BarSeries[] = [
    {
      name: 'Deployed',
      color: 'accent',
      texture: 'plain',
      values: items.map(({ deployed }) => deployed),
    },
    { name: 'Failed', color: 'bad', texture: 'hatched', values: items.map(({ failed }) => failed) },
  ]
  const summary = describeDeployments(series)
  return (
    <div className="flex flex-col gap-2">
      <BarChart
        summary={summary}
        labels={items.map(({ date }) => toDay(date))}
        series={bars}
        describe={(at) => describe(items[at])}
        renderColumn={(at, column) => (
          <Link
            key={at}
            to="/$org/deployments"
            params={{ org: slug }}
            search={toDaySearch(filter, items[at]?.date)}
            {...column}
          />
        )}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Legend series={bars} />
        <p className="text-sm text-muted">{summary}</p>
      </div>
      <ChartTable
        caption="Deployments per day"
        columns={['Day', 'Deployed', 'Failed']}
        rows={items.toReversed().map(({ date, deployed, failed }) => ({
          key: date,
          cells: [<DayLink key={date} date={date} />, deployed, failed],
        }))}
      />
    </div>
  )
}

function describe(item: DeploymentSeries['items'][number] | undefined): string {
  if (item === undefined) return ''
  return `${toDay(item.date)}: ${count(item.deployed, 'deployment')}, ${item.failed} failed`
}
