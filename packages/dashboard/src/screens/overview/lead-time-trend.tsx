import { ChartTable } from '../../charts/chart-table.tsx'
import { GhostChart } from '../../charts/ghost-chart.tsx'
import { LineChart } from '../../charts/line-chart.tsx'
import { toDuration } from '../../components/time.tsx'
import { describeLeadTime, toDay, type DeploymentSeries } from './summaries.ts'

/** Shows the time from a commit to its deployment. */
export function LeadTimeTrend({ series }: { readonly series: DeploymentSeries }) {
  const { items } = series
  const known = items.filter(({ medianLeadTimeMs }) => medianLeadTimeMs !== null)
  if (known.length === 0) {
    return (
      <GhostChart height={84}>
        Appears with the first deployment whose commits are known.
      </GhostChart>
    )
  }
  const summary = describeLeadTime(series)
  return (
    <div className="flex flex-col gap-2">
      <LineChart
        summary={summary}
        labels={items.map(({ date }) => toDay(date))}
        durationsMs={items.map(({ medianLeadTimeMs }) => medianLeadTimeMs)}
        describe={(at) => describe(items[at])}
      />
      <p className="text-sm text-muted">
        {summary} From the first commit in a deployment to its success; each point is the median of
        a day. Rollbacks and deployments whose commits are not known are not counted.
      </p>
      <ChartTable
        caption="Lead time per day"
        columns={['Day', 'Median']}
        rows={items.toReversed().map(({ date, medianLeadTimeMs }) => ({
          key: date,
          cells: [toDay(date), describeMedian(medianLeadTimeMs)],
        }))}
      />
    </div>
  )
}

function describe(item: DeploymentSeries['items'][number] | undefined): string {
  return item === undefined ? '' : `${toDay(item.date)}: ${describeMedian(item.medianLeadTimeMs)}`
}

function describeMedian(medianMs: number | null): string {
  return medianMs === null ? 'not known' : toDuration(medianMs)
}
