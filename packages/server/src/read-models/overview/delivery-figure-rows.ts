import { repositoryNamed } from '../../deployments/codehost/repository-rows.ts'
import { failedAt, failedStates, hotfixedSince } from '../deployments/failed-deployments.ts'
import type { Tx } from '../../store/store.ts'

/** Describes the deployments that delivery figures are about. */
export interface FigurePeriod {
  /** The beginning of the period before, of the same length. */
  readonly previousFrom: Date
  readonly from: Date
  readonly to: Date
  /** `undefined`: all environments. */
  readonly environmentId: string | undefined
  /** Holds the full name of a repository. `undefined`: all of them. */
  readonly repository: string | undefined
}

/** Holds the figures of a repository in an environment in one period; both are `null` for the figures of all. */
export interface FigureRow {
  readonly repository: string | null
  readonly environmentId: string | null
  /** False: of the period before. */
  readonly isCurrent: boolean
  readonly deployed: number
  /** Those that went live or failed. */
  readonly deployments: number
  readonly failed: number
  /** Deployments whose first commit is known. */
  readonly led: number
  readonly medianLeadMs: number | null
  readonly p90LeadMs: number | null
  readonly restored: number
  readonly medianRestoreMs: number | null
}

const isChosen = `d.environment_id is not null and ($5::text is null or d.environment_id = $5)
      and ($6::text is null or d.repository_id = ${repositoryNamed('$6')})`

const columns = `d.repository_id, d.environment_id, d.host_key, d.task, d.external_id`

/** Names the chain of a deployment by one number, because it is sorted several times faster than three texts. */
const chain = `hashtextextended(d.repository_id || ' ' || d.host_key || ' ' || d.task, 0)`

/**
 * Selects what went live or failed in both periods, each with its moment: ranges of the indexes `deployments_succeeded` and
 * `deployments_failure`.
 */
const endedSql = `hotfixed as materialized (${hotfixedSince('$2')}),
  ended as (
    select ${columns}, d.succeeded_at as at, d.succeeded_at, d.first_committed_at,
      d.state = 'rolled_back' or d.id in (select previous_successful_id from hotfixed) as has_failed
    from deployments d
    where d.org_id = $1 and d.succeeded_at >= $2 and d.succeeded_at < $4 and ${isChosen}
    union all
    select ${columns}, ${failedAt('d')} as at, null, null, true
    from deployments d
    where d.org_id = $1 and d.state in ${failedStates} and d.succeeded_at is null
      and ${failedAt('d')} >= $2 and ${failedAt('d')} < $4 and ${isChosen}),
  followed as materialized (
    select d.*, min(case when not d.has_failed then d.at end) over (partition by ${chain} order by d.at desc, d.external_id desc
      rows between unbounded preceding and 1 preceding) as good_at
    from ended d)`

/**
 * Finds, for each chain that ends the period with failures, the first deployment after the period that went live and did not fail
 * itself. All those failures share it, so the index `deployments_chain_live` is searched once for each chain. A chain has one
 * environment, so the choice of an environment leaves none of its deployments out.
 */
const restoredLaterSql = `restored_later as (
    select d.repository_id, d.host_key, d.task, r.succeeded_at
    from (select distinct repository_id, host_key, task from followed where has_failed and good_at is null) d
    cross join lateral (
      select g.succeeded_at from deployments g
      where g.org_id = $1 and g.repository_id = d.repository_id and g.host_key = d.host_key and g.task = d.task
        and g.position_at >= $4 and g.succeeded_at is not null and g.state <> 'rolled_back'
        and g.id not in (select previous_successful_id from hotfixed)
      order by g.position_at, g.external_id limit 1) r)`

const milliseconds = (from: string, to: string) => `date_part('epoch', ${to} - ${from}) * 1000`

/**
 * Works out the delivery figures of two periods in one statement: of each repository in each environment, up to `limit` of them
 * by name, and of all together, which comes last.
 */
export async function listFigures(
  tx: Tx,
  orgId: string,
  period: FigurePeriod,
  limit: number,
): Promise<FigureRow[]> {
  return tx.query<FigureRow>({
    name: 'list-delivery-figures',
    text: `with ${endedSql}, ${restoredLaterSql}, measured as (
        select d.repository_id, d.environment_id, d.at >= $3 as is_current, d.has_failed, d.succeeded_at,
          case when d.first_committed_at <= d.succeeded_at then ${milliseconds('d.first_committed_at', 'd.succeeded_at')} end as lead_ms,
          case when d.has_failed then ${milliseconds('d.at', 'coalesce(d.good_at, r.succeeded_at)')} end as restore_ms
        from followed d left join restored_later r on d.has_failed and d.good_at is null and r.repository_id = d.repository_id
          and r.host_key = d.host_key and r.task = d.task
      ), figures as (
        select repository_id, environment_id, is_current, count(succeeded_at)::integer as deployed,
          count(*)::integer as deployments,
          (count(*) filter (where has_failed))::integer as failed, count(lead_ms)::integer as led,
          percentile_cont(0.5) within group (order by lead_ms) as median_lead,
          percentile_cont(0.9) within group (order by lead_ms) as p90_lead,
          count(restore_ms)::integer as restored,
          percentile_cont(0.5) within group (order by restore_ms) as median_restore
        from measured group by grouping sets ((repository_id, environment_id, is_current), (is_current))
      ), placed as (
        select f.*, r.full_name as repository,
          dense_rank() over (order by f.repository_id is null, lower(r.full_name), f.repository_id, e.production desc, e.id) as place
        from figures f
        left join repositories r on r.org_id = $1 and r.id = f.repository_id
        left join environments e on e.org_id = $1 and e.id = f.environment_id
      )
      select repository, environment_id as "environmentId", coalesce(is_current, false) as "isCurrent", deployed, deployments, failed, led,
        round(median_lead)::float8 as "medianLeadMs", round(p90_lead)::float8 as "p90LeadMs", restored,
        round(median_restore)::float8 as "medianRestoreMs"
      from placed where place <= $7 or repository_id is null
      order by place, is_current desc`,
    values: [
      orgId,
      period.previousFrom,
      period.from,
      period.to,
      period.environmentId,
      period.repository,
      limit,
    ],
  })
}
