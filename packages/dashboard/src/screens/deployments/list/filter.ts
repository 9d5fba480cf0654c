import type { RequestOf } from '../../../api/routes.ts'
import type { DeploymentsSearch } from './search.ts'

/** Describes the part of the address that selects the deployments. */
export type Filter = Omit<DeploymentsSearch, 'sync' | 'run' | 'view'>

/** Returns the part of an address that narrows the list. */
export function toFilter({
  sync: _sync,
  run: _run,
  view: _view,
  ...filter
}: DeploymentsSearch): Filter {
  return filter
}

/** Returns whether the list hides deployments that a fresh visit shows. */
export function isNarrowed(filter: Filter): boolean {
  const { inactive: _inactive, ...narrowing } = filter
  return Object.values(narrowing).some((value) => value !== undefined)
}

type Query = NonNullable<RequestOf<'GET /organizations/{org_id}/deployments'>['query']>

/** Returns the query for the server. Days begin and end in the reader's time zone. */
export function toQuery(filter: Filter): Query {
  const { environment, repository, branch, state, outcome, issue, from, to, inactive } = filter
  return {
    limit: 50,
    inactive: inactive === true ? 'include' : 'exclude',
    ...(environment !== undefined && { environmentId: environment }),
    ...(repository !== undefined && { repository }),
    ...(branch !== undefined && { branch }),
    ...(state !== undefined && { state }),
    ...(outcome !== undefined && { outcome }),
    ...(issue !== undefined && { issueKey: issue }),
    ...(from !== undefined && { from: startOf(from, 0) }),
    ...(to !== undefined && { to: startOf(to, 1) }),
  }
}

/** Returns the start of the day `later` days after `date`, in the reader's time zone. */
function startOf(date: string, later: number): string {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day + later).toISOString()
}
