import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ChartTable } from '../../charts/chart-table.tsx'
import { GhostChart } from '../../charts/ghost-chart.tsx'
import { LineChart } from '../../charts/line-chart.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { DeploymentTrend } from './deployment-trend.tsx'
import { TestTrend } from './test-trend.tsx'
import { toDaySearch, TrendFilterBar, useTrendFilter } from './trend-filter.tsx'
import { usePeriod } from './use-period.ts'
import { DayLink } from './day-link.tsx'
import { describeLeadTime, toDay, toLeadTime, type DeploymentSeries } from './summaries.ts'

const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
/** A system that is set to an offset has no named zone, which the server needs. */
const timeZone = /^[+-]/.test(zone) ? 'UTC' : zone

/** Shows the delivery figures and the charts of the chosen days: deployments, lead time, tests. */
export function Trends() {
  const days = usePeriod()
  const { environment, repository } = useTrendFilter()
  const query = {
    days,
    timeZone,
    ...(environment !== undefined && { environmentId: environment }),
    ...(repository !== undefined && { repository }),
  }
  const deployments = useRead('GET /organizations/{org_id}/series/deployments', { query })
  const tests = useRead('GET /organizations/{org_id}/series/test-runs', {
    query: { ...query, per: 'run' },
  })
  return (
    <>
      <TrendFilterBar />
      <DeliveryPanel />
      <Panel title="Deployments per day">
        <Loaded query={deployments}>{(series) => <DeploymentTrend series={series} />}</Loaded>
      </Panel>
      <Panel title="Lead time">
        <Loaded query={deployments}>{(series) => <LeadTimeTrend series={series} />}</Loaded>
      </Panel>
      <Panel title="Tests per deployment">
        <Loaded query={tests}>{({ items }) => <TestTrend items={items} />}</Loaded>
      </Panel>
    </>
  )
}

/** Lets the axis reach ten minutes at least. */
const leastMs = 600_000

/** Shows the time from a commit to its deployment. */
function LeadTimeTrend({ series }: { readonly series: DeploymentSeries }) {
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
