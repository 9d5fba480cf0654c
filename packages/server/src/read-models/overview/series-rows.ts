import type { TestRunState } from '@signalbox/contract/rest'
import { failedAt, failedStates } from '../deployments/failed-deployments.ts'
import { repositoryNamed } from '../../deployments/codehost/repository-rows.ts'
import type { Tx } from '../../store/store.ts'

/** Describes some days up to today, as a time zone counts them. */
export interface SeriesPeriod {
  readonly days: number
  readonly timeZone: string
  /** `undefined`: all environments, and what is in none. */
  readonly environmentId: string | undefined
  /** Holds the full name of a repository. `undefined`: all of them. */
  readonly repository: string | undefined
  readonly now: Date
}

/**
 * Selects the `$2` days before the moment `$3` in the time zone `$4`, each with its first and last moment. So the zone is computed
 * for days and not for rows, and the rows of a day are a range of an index, without a sort.
 */
const daysSql = `days as (
    select day::date as date, day at time zone $4 as at, (day + interval '1 day') at time zone $4 as until
    from generate_series((($3::timestamptz at time zone $4)::date - ($2::integer - 1))::timestamp,
      ($3::timestamptz at time zone $4)::date::timestamp, '1 day') day
  ), begin as (select min(at) as at from days)`

/** Returns the condition that a moment is of the day `d`, and not after now. */
const onDay = (moment: string) => `${moment} >= d.at and ${moment} < d.until and ${moment} <= $3`

const inEnvironment = '($5::text is null or environment_id = $5)'
const inRepository = `($6::text is null or repository_id = ${repositoryNamed('$6')})`
/** A run that was reported from outside names no repository: its deployment does. */
const ofRepository = `($6::text is null or exists (select from deployments d where d.org_id = $1
  and d.id = test_runs.deployment_id and d.repository_id = ${repositoryNamed('$6')}))`

/** Holds the figures of a day; `null`: those of all days together. */
export interface DeploymentDay {
  /** Example: `2026-11-22`. */
  readonly date: string | null
  readonly deployed: number
  readonly failed: number
  readonly medianLeadTimeMs: number | null
}

const valuesOf = (orgId: string, period: SeriesPeriod) => [
  orgId,
  period.days,
  period.now,
  period.timeZone,
  period.environmentId,
  period.repository,
]

/** In milliseconds, from the first commit to the success. As a double: to sort exact numbers takes several times as long. */
const medianLead = `percentile_cont(0.5) within group (
    order by date_part('epoch', succeeded_at - first_committed_at) * 1000) filter (where first_committed_at <= succeeded_at)`

/**
 * Counts deployments day by day, and over all days. Both counts are ranges of indexes: `deployments_succeeded`, which holds
 * what the lead time is worked out from, and `deployments_failure`.
 */
export async function listDeploymentDays(
  tx: Tx,
  orgId: string,
  period: SeriesPeriod,
): Promise<DeploymentDay[]> {
  return tx.query<DeploymentDay>({
    name: 'list-deployment-days',
    text: `with ${daysSql}, counted as (
        select d.date, s.count as deployed, f.count as failed, s.lead
        from days d cross join lateral (
          select count(*)::integer as count, ${medianLead} as lead from deployments
          where org_id = $1 and ${onDay('succeeded_at')} and ${inEnvironment} and ${inRepository}) s
        cross join lateral (
          select count(*)::integer as count from deployments
          where org_id = $1 and state in ${failedStates} and ${onDay(failedAt('deployments'))}
            and ${inEnvironment} and ${inRepository}) f
      )
      select date::text, deployed, failed, round(lead)::float8 as "medianLeadTimeMs" from counted
      union all
      select null, coalesce(sum(deployed), 0)::integer, coalesce(sum(failed), 0)::integer, (
        select round(${medianLead})::float8 from deployments
        where org_id = $1 and succeeded_at >= (select at from begin) and succeeded_at <= $3 and ${inEnvironment} and ${inRepository})
      from counted
      order by 1 nulls last`,
    values: valuesOf(orgId, period),
  })
}

/** Describes a finished test run as a point of a chart. */
export interface TestRunPoint {
  readonly date: string
  readonly runId: string | null
  readonly deploymentId: string | null
  readonly state: TestRunState | null
  readonly runs: number
  readonly failedRuns: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly flaky: number
  readonly durationMs: number | null
}

const failedRuns = `state in ('failed', 'errored', 'timed_out')`

/** Counts finished test runs day by day, from the index `test_runs_finished` alone. */
export async function listTestRunDays(
  tx: Tx,
  orgId: string,
  period: SeriesPeriod,
): Promise<TestRunPoint[]> {
  return tx.query<TestRunPoint>({
    name: 'list-test-run-days',
    text: `with ${daysSql}
      select coalesce(d.date::text, '') as date, null as "runId", null as "deploymentId", null as state, f.*
      from days d cross join lateral (
        select count(*)::integer as runs, (count(*) filter (where ${failedRuns}))::integer as "failedRuns",
          coalesce(sum(passed), 0)::float8 as passed, coalesce(sum(failed), 0)::float8 as failed,
          coalesce(sum(skipped), 0)::float8 as skipped, coalesce(sum(flaky), 0)::float8 as flaky,
          round(percentile_cont(0.5) within group (order by duration_ms))::float8 as "durationMs"
        from test_runs
        where org_id = $1 and ${onDay('finished_at')} and state <> 'skipped' and ${inEnvironment} and ${ofRepository}) f
      order by d.date`,
    values: valuesOf(orgId, period),
  })
}

const runsMax = 200

/** Lists the newest finished test runs of a period, the oldest first. */
export async function listTestRunPoints(
  tx: Tx,
  orgId: string,
  period: SeriesPeriod,
): Promise<TestRunPoint[]> {
  return tx.query<TestRunPoint>({
    name: 'list-test-run-points',
    text: `with ${daysSql}
      select date, "runId", "deploymentId", state, runs, "failedRuns", passed, failed, skipped, flaky, "durationMs"
      from (
        select coalesce((finished_at at time zone $4)::date::text, '') as date, id as "runId", deployment_id as "deploymentId", state,
          1 as runs, (${failedRuns})::integer as "failedRuns", coalesce(passed, 0) as passed,
          coalesce(failed, 0) as failed, coalesce(skipped, 0) as skipped, coalesce(flaky, 0) as flaky,
          duration_ms::float8 as "durationMs", finished_at
        from test_runs where org_id = $1 and finished_at >= (select at from begin) and finished_at <= $3
          and state <> 'skipped' and ${inEnvironment} and ${ofRepository}
        order by finished_at desc, id desc limit ${runsMax}) newest
      order by finished_at, "runId"`,
    values: valuesOf(orgId, period),
  })
}
