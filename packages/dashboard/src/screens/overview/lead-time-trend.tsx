import { Link } from '@tanstack/react-router'
import { ChartTable } from '../../charts/chart-table.tsx'
import { GhostChart } from '../../charts/ghost-chart.tsx'
import { LineChart } from '../../charts/line-chart.tsx'
import { useOrganization } from '../../session/organization.ts'
import { DayLink } from './day-link.tsx'
import { describeLeadTime, toDay, toLeadTime, type DeploymentSeries } from './summaries.ts'
import { toDaySearch, useTrendFilter } from './trend-filter.tsx'

/** Lets the axis reach ten minutes at least. */
const leastMs = 600_000

/** Shows the time from a commit to its deployment. */
export function LeadTimeTrend({ series }: { readonly series: DeploymentSeries }) {
  const { slug } = useOrganization()
  const filter = useTrendFilter()
  const { items } = series
  const known = items.filter(({ medianLeadTimeMs }) => medianLeadTimeMs !== null)
  if (known.length === 0) {
    return <GhostChart height={84}>No lead-time data yet</GhostChart>
  }
  const summary = describeLeadTime(series)
  return (
    <div className="flex flex-col gap-2">
      <LineChart
        summary={summary}
        labels={items.map(({ date }) => toDay(date))}
        durationsMs={items.map(({ medianLeadTimeMs }) => medianLeadTimeMs)}
        describe={(at) => describe(items[at])}
        leastMs={leastMs}
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
      <p className="text-sm text-muted">
        {summary} Measured from the first commit to the success; each point is the median of a day.
        Excludes rollbacks and deployments without commit data.
      </p>
      <ChartTable
        caption="Lead time per day"
        columns={['Day', 'Median']}
        rows={items.toReversed().map(({ date, medianLeadTimeMs }) => ({
          key: date,
          cells: [<DayLink key={date} date={date} />, describeMedian(medianLeadTimeMs)],
        }))}
      />
    </div>
  )
}

function describe(item: DeploymentSeries['items'][number] | undefined): string {
  return item === undefined ? '' : `${toDay(item.date)}: ${describeMedian(item.medianLeadTimeMs)}`
}

function describeMedian(medianMs: number | null): string {
  return medianMs === null ? 'no data' : toLeadTime(medianMs)
}
