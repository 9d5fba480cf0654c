import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../store/store.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { forgetOld } from './forget-old.ts'

const now = new Date('2026-11-22T12:00:00Z')
const hourMs = 3_600_000
let test: TestStore

// One an hour, the newest first. Every fifth failed.
beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(`insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme');
    insert into repositories (org_id, id, full_name) values ('org_1', 'repo_1', 'acme/shop');
    insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, state,
      reported_state, succeeded_at, source, created_at)
    select 'org_1', 'dep_' || n, 'repo_1', n::text, n::text, 'main', 'branch', 'live',
      case when n % 5 = 0 then 'failure' else 'superseded' end, case when n % 5 = 0 then 'failure' else 'success' end,
      case when n % 5 > 0 then at end, 'webhook', at
    from generate_series(1, 2000) n, lateral (select timestamptz '2026-11-22T12:00:00Z' - n * interval '1 hour' as at) s;
    insert into deployment_statuses (org_id, deployment_id, external_id, state, at)
    select 'org_1', 'dep_' || n, n, 'success', now() from generate_series(1, 2000) n;
    insert into deployment_commits (org_id, deployment_id, position, sha, message)
    select 'org_1', 'dep_' || n, 1, n::text, '' from generate_series(1, 2000) n;
    insert into deployment_issues (org_id, deployment_id, key, state)
    select 'org_1', 'dep_' || n, 'ABC-1', 'linked' from generate_series(1, 2000) n;
    insert into notifications (org_id, id, subject_kind, subject_id, state, desired_rev, sent_rev)
    select 'org_1', 'ntf_' || n, 'deployment', 'dep_' || n, 'live', 1, 1 from generate_series(1, 2000) n;
    insert into test_runs (org_id, id, deployment_id, contaminated_by, name, state, created_at, finished_at)
    select 'org_1', 'run_' || n, case when n % 10 > 0 then 'dep_' || n end,
      case when n % 7 = 0 then 'dep_' || n - 1 end, 'e2e', 'passed', at, at
    from generate_series(1, 2000) n, lateral (select timestamptz '2026-11-22T12:00:00Z' - n * interval '1 hour' as at) s;
    insert into test_reports (org_id, run_id, attempt, content_hash, format, summary, received_at)
    select org_id, id, 1, '', 'ctrf', '{}', finished_at from test_runs;
    insert into test_results (org_id, run_id, attempt, case_hash, name, status)
    select org_id, id, 1, sha256(n::text::bytea), '', 'passed' from test_runs, generate_series(1, 3) n;
    analyze`)
})
afterAll(() => test.close())

/** Runs what deletes old rows, and returns the plan of each of its statements. */
async function planAll(): Promise<ReadonlyMap<string, string>> {
  const plans = new Map<string, string>()
  const explainAndRun = (tx: Tx): Tx => ({
    ...tx,
    query: async <Row extends object>(statement: Parameters<Tx['query']>[0]) => {
      const { name, text, values } = statement
      const explain = { name: '', text: `explain ${text}`, values }
      const rows = await tx.query<{ readonly 'QUERY PLAN': string }>(explain)
      plans.set(name, rows.map((row) => row['QUERY PLAN']).join('\n'))
      return tx.query<Row>(statement)
    },
  })
  const store: Pick<TestStore['store'], 'maintenance'> = {
    maintenance: (work) => test.store.maintenance((tx) => work(explainAndRun(tx))),
  }
  const batch = { deployments: 20, results: 40 }
  const { signal } = new AbortController()
  const forget = (keptFor: { deploymentsMs?: number; testResultsMs?: number }) =>
    forgetOld(
      {
        store,
        keptFor: { deploymentsMs: undefined, testResultsMs: undefined, ...keptFor },
        now: () => now,
        at: now,
        batch,
      },
      signal,
    )
  await forget({ testResultsMs: 1950 * hourMs })
  await forget({ deploymentsMs: 1920 * hourMs })
  return plans
}

describe('deleting old rows', () => {
  it('reads no table whole, whatever it has of others', async () => {
    const plans = await planAll()
    const whole = [...plans].filter(([, plan]) => /Seq Scan on (?!unnest|gone)/.test(plan))
    expect(whole.map(([name, plan]) => `${name}: ${plan}`).join('\n')).toBe('')
    expect(plans.size).toBe(15)
    const index = (name: string) => /using (\w+) on \w+ d?/.exec(plans.get(name) ?? '')?.[1]
    expect(plans.get('page-old-deployments')).toMatch(
      /Index Cond: .*org_id.*created_at <.*ROW\(created_at, id\) >/,
    )
    expect(index('lock-old-test-reports')).toBe('test_reports_age')
    expect(plans.get('list-deployments-in-tests')).toMatch(/test_runs_contaminated/)
    expect(index('lock-old-test-runs')).toBe('test_runs_alone')
  })
})
