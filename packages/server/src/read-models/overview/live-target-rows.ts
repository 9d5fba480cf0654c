import type { Tx } from '../../store/store.ts'
import { failingFirst } from '../deployments/failing-first.ts'
import {
  placedDeployment,
  placedTestRun,
  type PlacedDeployment,
  type PlacedTestRun,
} from './overview-rows.ts'

/** Describes what is deployed of a repository in an environment. */
export interface LiveTarget {
  readonly repositoryId: string
  readonly repository: string
  readonly environmentId: string
  readonly latest: PlacedDeployment
  readonly live: PlacedDeployment | null
  /** Up to `liveMax`. */
  readonly liveCount: number
  /** The newest of what is live, or of `latest` where nothing is. */
  readonly tests: PlacedTestRun | null
}

const liveMax = 100

/**
 * Lists what is deployed by repository and environment. Goes from one pair to the next in the index `deployments_target` and
 * takes the first row of each, so it costs as many steps as there are pairs, however many deployments there are. `case` and not
 * `coalesce`: row-level security keeps an index from being used for that.
 */
export async function listLiveTargets(tx: Tx, orgId: string, limit: number): Promise<LiveTarget[]> {
  return tx.query<LiveTarget>({
    name: 'list-live-targets',
    text: `with recursive listed as (
        select id, full_name from repositories r
        where org_id = $1 and tracked and removed_at is null and exists (
          select from deployments d where d.org_id = $1 and d.repository_id = r.id and d.environment_id is not null)
        order by lower(full_name), id limit $2
      ), pairs (repository_id, environment_id) as (
        select l.id, f.environment_id from listed l cross join lateral (
          select environment_id from deployments d where d.org_id = $1 and d.repository_id = l.id
            and d.environment_id is not null
          order by environment_id limit 1) f
        union all
        select p.repository_id, n.environment_id from pairs p cross join lateral (
          select environment_id from deployments d where d.org_id = $1 and d.repository_id = p.repository_id
            and d.environment_id > p.environment_id
          order by environment_id limit 1) n
      )
      select r.id as "repositoryId", r.full_name as repository, e.id as "environmentId", latest.shown as latest,
        live.shown as live, running.count as "liveCount", tests.shown as tests
      from pairs p join listed r on r.id = p.repository_id
      join environments e on e.org_id = $1 and e.id = p.environment_id
      cross join lateral (
        select ${placedDeployment} as shown, d.id from deployments d
        where d.org_id = $1 and d.repository_id = p.repository_id and d.environment_id = p.environment_id
        order by d.created_at desc, d.id desc limit 1) latest
      left join lateral (
        select ${placedDeployment} as shown, d.id from deployments d
        where d.org_id = $1 and d.repository_id = p.repository_id and d.environment_id = p.environment_id
          and d.state = 'success'
        order by d.position_at desc, d.external_id desc limit 1) live on true
      cross join lateral (
        select count(*)::integer as count from (
          select from deployments d where d.org_id = $1 and d.repository_id = p.repository_id
            and d.environment_id = p.environment_id and d.state = 'success' limit ${liveMax}) s) running
      left join lateral (
        select ${placedTestRun} as shown from test_runs t
        where t.org_id = $1 and t.deployment_id = case when live.id is null then latest.id else live.id end and t.config_version is null
        order by ${failingFirst('t')} limit 1) tests on true
      order by lower(r.full_name), r.id, e.id`,
    values: [orgId, limit],
  })
}
