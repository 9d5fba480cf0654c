import type { TestRunState } from '@signalbox/contract/rest'
import type { Tx } from '../store/store.ts'

/** Some days up to today, as a time zone counts them. */
export interface SeriesPeriod {
  readonly days: number
  readonly timeZone: string
  /** `undefined`: all environments, and what is in none. */
  readonly environmentId: string | undefined
  readonly now: Date
}

/** The days of a period `$2` before the moment `$3` in the time zone `$4`, and the moment with which they begin. */
const daysSql = `days as (
    select day::date as date from generate_series(
      ($3::timestamptz at time zone $4)::date - ($2::integer - 1), ($3::timestamptz at time zone $4)::date, '1 day') day
  ), begin as (select min(date)::timestamp at time zone $4 as at from days)`

const inEnvironment = '($5::text is null or environment_id = $5)'

/** A day; `null`: all of them together. */
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
]

/**
 * Deployments day by day, and over all days. Both counts are read from indexes alone: `deployments_succeeded`, which holds
 * what the lead time is worked out from, and `deployments_failed`.
 */
export async function listDeploymentDays(
  tx: Tx,
  orgId: string,
  period: SeriesPeriod,
): Promise<DeploymentDay[]> {
  return tx.query<DeploymentDay>({
    name: 'list-deployment-days',
    text: `with ${daysSql}, succeeded as (
        select (succeeded_at at time zone $4)::date as date, count(*)::integer as count,
          percentile_cont(0.5) within group (order by extract(epoch from succeeded_at - first_committed_at) * 1000)
            filter (where first_committed_at <= succeeded_at) as lead
        from deployments where org_id = $1 and succeeded_at >= (select at from begin) and succeeded_at <= $3
          and ${inEnvironment}
        group by grouping sets ((1), ())
      ), failed as (
        select (coalesce(finished_at, created_at) at time zone $4)::date as date, count(*)::integer as count
        from deployments where org_id = $1 and state in ('failure', 'error')
          and coalesce(finished_at, created_at) >= (select at from begin) and coalesce(finished_at, created_at) <= $3
          and ${inEnvironment}
        group by grouping sets ((1), ())
      )
      select d.date::text, coalesce(s.count, 0) as deployed, coalesce(f.count, 0) as failed,
        round(s.lead)::float8 as "medianLeadTimeMs"
      from (select date from days union all select null) d
        left join succeeded s on s.date is not distinct from d.date
        left join failed f on f.date is not distinct from d.date
      order by d.date nulls last`,
    values: valuesOf(orgId, period),
  })
}

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

/** Finished test runs day by day, from the index `test_runs_finished` alone. */
export async function listTestRunDays(
  tx: Tx,
  orgId: string,
  period: SeriesPeriod,
): Promise<TestRunPoint[]> {
  return tx.query<TestRunPoint>({
    name: 'list-test-run-days',
    text: `with ${daysSql}, finished as (
        select (finished_at at time zone $4)::date as date, count(*)::integer as runs,
          (count(*) filter (where ${failedRuns}))::integer as failed_runs, sum(passed)::float8 as passed,
          sum(failed)::float8 as failed, sum(skipped)::float8 as skipped, sum(flaky)::float8 as flaky,
          round(percentile_cont(0.5) within group (order by duration_ms))::float8 as duration
        from test_runs where org_id = $1 and finished_at >= (select at from begin) and finished_at <= $3
          and state <> 'skipped' and ${inEnvironment}
        group by 1
      )
      select d.date::text, null as "runId", null as "deploymentId", null as state, coalesce(f.runs, 0) as runs,
        coalesce(f.failed_runs, 0) as "failedRuns", coalesce(f.passed, 0) as passed, coalesce(f.failed, 0) as failed,
        coalesce(f.skipped, 0) as skipped, coalesce(f.flaky, 0) as flaky, f.duration as "durationMs"
      from days d left join finished f using (date) order by d.date`,
    values: valuesOf(orgId, period),
  })
}

const runsMax = 200

/** The newest finished test runs of a period, the oldest first. */
export async function listTestRunPoints(
  tx: Tx,
  orgId: string,
  period: SeriesPeriod,
): Promise<TestRunPoint[]> {
  return tx.query<TestRunPoint>({
    name: 'list-test-run-points',
    text: `with ${daysSql}
      select * from (
        select (finished_at at time zone $4)::date::text as date, id as "runId", deployment_id as "deploymentId", state,
          1 as runs, (${failedRuns})::integer as "failedRuns", coalesce(passed, 0) as passed,
          coalesce(failed, 0) as failed, coalesce(skipped, 0) as skipped, coalesce(flaky, 0) as flaky,
          duration_ms::float8 as "durationMs", finished_at
        from test_runs where org_id = $1 and finished_at >= (select at from begin) and finished_at <= $3
          and state <> 'skipped' and ${inEnvironment}
        order by finished_at desc, id desc limit ${runsMax}) newest
      order by finished_at, "runId"`,
    values: valuesOf(orgId, period),
  })
}
