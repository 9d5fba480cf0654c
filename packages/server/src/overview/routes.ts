import { dashboardEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../http/router.ts'
import { getOverview, type OverviewDeps } from './get-overview.ts'
import { presentOverview } from './present-overview.ts'
import { search } from './search.ts'
import { mountSeries } from './series-routes.ts'

/** Mounts what the dashboard shows of several features at once. */
export function mountOverview(router: Router, deps: OverviewDeps): void {
  router
    .add(endpoints.getOverview, {
      handle: ({ organization, scope }) => getOverview(deps, scope, organization.id),
      present: presentOverview,
    })
    .add(endpoints.searchOrganization, {
      handle: ({ organization, scope, query }) =>
        search(deps, scope, { orgId: organization.id, text: query.query }),
      present: (items) => ({ items }),
    })
  mountSeries(router, deps)
}
