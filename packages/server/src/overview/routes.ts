import { overviewEndpoints, searchEndpoints, changeEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../http/router.ts'
import { getOverview, type OverviewDeps } from './get-overview.ts'
import { mountFigures } from './figure-routes.ts'
import { createKeyNames } from './key-names.ts'
import { listChanges } from './changes/list-changes.ts'
import { presentChange } from './changes/present-change.ts'
import { presentOverview } from './present-overview.ts'
import { search } from './search.ts'
import { mountSeries } from './series-routes.ts'

const endOfTime = new Date('2200-01-01T00:00:00Z')

/** Mounts what the dashboard shows of several features at once. */
export function mountOverview(router: Router, deps: OverviewDeps): void {
  const keyNames = createKeyNames()
  router
    .add(overviewEndpoints.getOverview, {
      handle: ({ organization, scope }) => getOverview(deps, scope, organization.id),
      present: presentOverview,
    })
    .add(searchEndpoints.searchOrganization, {
      handle: ({ organization, scope, query }) =>
        search({ ...deps, keyNames }, scope, { orgId: organization.id, text: query.query }),
      present: (items) => ({ items }),
    })
    .addPage(changeEndpoints.listChanges, {
      position: z.object({ micros: z.number().int(), id: z.string() }),
      list({ organization, scope, query }, { after, limit }) {
        const { before, from, author, text, ...filter } = query
        // The empty id is before every other: changes of the moment itself are left out.
        const until = before === undefined ? endOfTime : new Date(before)
        const first = { micros: until.getTime() * 1000, id: '' }
        return listChanges(deps, {
          ...filter,
          orgId: organization.id,
          scope,
          limit,
          from: from === undefined ? undefined : new Date(from),
          author: author?.toLowerCase(),
          text: text?.toLowerCase(),
          kinds: query.kinds,
          after: after ?? first,
        })
      },
      positionOf: ({ micros, id }) => ({ micros, id }),
      present: presentChange,
    })
  mountSeries(router, deps)
  mountFigures(router, deps)
}
