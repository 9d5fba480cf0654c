import { seriesEndpoints as endpoints, type ResponseOf } from '@signalbox/contract/rest'
import type { Router } from '../http/router.ts'
import {
  getDeploymentSeries,
  getTestRunSeries,
  type DeploymentSeriesView,
  type SeriesDeps,
} from './get-series.ts'

type DeploymentSeries = ResponseOf<typeof endpoints.getDeploymentSeries>
type TestRunSeries = ResponseOf<typeof endpoints.getTestRunSeries>

/** Mounts what the charts of the dashboard show. */
export function mountSeries(router: Router, deps: SeriesDeps): void {
  router
    .add(endpoints.getDeploymentSeries, {
      handle: ({ organization, scope, query: { days, timeZone, environmentId, repository } }) => {
        const of = { orgId: organization.id, scope }
        return getDeploymentSeries(deps, { ...of, days, timeZone, environmentId, repository })
      },
      present: (series, { query }) => presentDeployments(series, query.timeZone),
    })
    .add(endpoints.getTestRunSeries, {
      handle: ({
        organization,
        scope,
        query: { days, timeZone, environmentId, repository, per },
      }) => {
        const of = { orgId: organization.id, scope }
        return getTestRunSeries(deps, { ...of, days, timeZone, environmentId, repository, per })
      },
      present: (points, { query }): TestRunSeries => ({
        timeZone: query.timeZone,
        items: [...points],
      }),
    })
}

function presentDeployments(
  { days, total: { deployed, failed, medianLeadTimeMs } }: DeploymentSeriesView,
  timeZone: string,
): DeploymentSeries {
  const ended = deployed + failed
  return {
    timeZone,
    items: days.flatMap(({ date, ...day }) => (date === null ? [] : [{ date, ...day }])),
    total: {
      deployed,
      failed,
      medianLeadTimeMs,
      failureRate: ended === 0 ? null : failed / ended,
    },
  }
}
