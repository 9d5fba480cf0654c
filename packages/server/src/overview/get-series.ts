import { notFound } from '../http/answers/problem-response.ts'
import { findEnvironmentRow } from '../configs/environments/environment-rows.ts'
import type { Scope } from '../store/scope.ts'
import type { Store, Tx } from '../store/store.ts'
import {
  listDeploymentDays,
  listTestRunDays,
  listTestRunPoints,
  type DeploymentDay,
  type SeriesPeriod,
  type TestRunPoint,
} from '../read-models/overview/series-rows.ts'

/** Describes the dependencies of `getDeploymentSeries` and `getTestRunSeries`. */
export interface SeriesDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly now: () => Date
}

/** Describes which days of an organization, or of one environment, a series covers. */
export interface SeriesQuery extends Omit<SeriesPeriod, 'now'> {
  readonly orgId: string
  readonly scope: Scope
}

/** Holds the days of a chart of deployments, and the total of all of them. */
export interface DeploymentSeriesView {
  readonly days: readonly DeploymentDay[]
  readonly total: DeploymentDay
}

/** Counts deployments by day. @throws {Problem} `not_found` for an environment that is not there */
export async function getDeploymentSeries(
  { store, now }: SeriesDeps,
  query: SeriesQuery,
): Promise<DeploymentSeriesView> {
  const rows = await readIn({ store, now }, query, listDeploymentDays)
  const total = rows.at(-1)
  if (total === undefined) throw new Error('A series has no total')
  return { days: rows.slice(0, -1), total }
}

/** Counts test runs by day, or lists them one by one. @throws {Problem} `not_found` for an environment that is not there */
export async function getTestRunSeries(
  deps: SeriesDeps,
  query: SeriesQuery & { readonly per: 'day' | 'run' },
): Promise<readonly TestRunPoint[]> {
  return readIn(deps, query, query.per === 'day' ? listTestRunDays : listTestRunPoints)
}

async function readIn<Row>(
  { store, now }: SeriesDeps,
  { orgId, scope, ...period }: SeriesQuery,
  list: (tx: Tx, orgId: string, period: SeriesPeriod) => Promise<Row[]>,
): Promise<Row[]> {
  const { environmentId } = period
  return store.transaction(scope, async (tx) => {
    const isThere =
      environmentId === undefined || (await findEnvironmentRow(tx, orgId, environmentId))
    if (isThere === undefined) throw notFound()
    return list(tx, orgId, { ...period, now: now() })
  })
}
