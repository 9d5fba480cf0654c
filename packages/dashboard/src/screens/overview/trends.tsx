import { useRead } from '../../api/use-api.ts'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { DeploymentTrend } from './deployment-trend.tsx'
import { LeadTimeTrend } from './lead-time-trend.tsx'
import { TestTrend } from './test-trend.tsx'
import { TrendFilterBar, useTrendFilter } from './trend-filter.tsx'
import { usePeriod } from './use-period.ts'

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
