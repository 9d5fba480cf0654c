import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../store/store.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { listDeploymentChanges } from './change-rows.ts'
import { listFigures } from './delivery-figure-rows.ts'
import { listLiveTargets } from './live-target-rows.ts'
import { listDeploymentDays } from './series-rows.ts'

const now = new Date('2026-11-22T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600 * 1000)
let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(`insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme');
    insert into repositories (org_id, id, full_name) values ('org_1', 'repo_1', 'acme/shop');
    insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, environment_id, state,
      succeeded_at, source, created_at)
    select 'org_1', 'dep_' || n, 'repo_1', n::text, n::text, 'main', 'branch', 'live', 'env_1', state,
      case when state = 'success' then at end, 'webhook', at
    from generate_series(1, 5000) n, lateral (select timestamptz '2026-11-22T12:00:00Z' - n * interval '1 hour' as at,
      case when n % 10 = 0 then 'failure' else 'success' end as state) s;
    insert into environments (org_id, id, name) values ('org_1', 'env_1', 'live');
    insert into test_runs (org_id, id, deployment_id, name, state)
    select 'org_1', 'run_' || n, 'dep_' || n, 'tests', 'passed' from generate_series(1, 5000) n;
    analyze deployments, test_runs`)
})
afterAll(() => test.close())

/** Returns the plan of the statement that `read` sends, as PostgreSQL makes it for a request of the organization. */
async function planOf(read: (tx: Tx) => Promise<unknown>): Promise<string> {
  return test.store.transaction({ orgId: 'org_1' }, async (tx) => {
    const lines: string[] = []
    const explaining = {
      ...tx,
      query: async <Row extends object>(statement: Parameters<Tx['query']>[0]) => {
        const { name, text, values } = statement
        const explain = { name: `explain-${name}`, text: `explain ${text}`, values }
        const rows = await tx.query<{ readonly 'QUERY PLAN': string }>(explain)
        lines.push(...rows.map((row) => row['QUERY PLAN']))
        return [] as Row[]
      },
    }
    await read(explaining)
    return lines.join('\n')
  })
}

// Row-level security keeps PostgreSQL from using an index for an expression that may leak, which `coalesce` is for it.
describe('the failed deployments of a period', () => {
  it('of a chart are ranges of their index, and no day reads them all', async () => {
    const period = {
      days: 30,
      timeZone: 'UTC',
      environmentId: undefined,
      repository: undefined,
      now,
    }
    const plan = await planOf((tx) => listDeploymentDays(tx, 'org_1', period))
    expect(plan).toMatch(/Scan using deployments_failure on deployments/)
    expect(plan).not.toMatch(/deployments_state|Seq Scan on deployments/)
  })

  it('of the delivery figures are a range of their index', async () => {
    const period = {
      previousFrom: daysAgo(60),
      from: daysAgo(30),
      to: now,
      environmentId: undefined,
      repository: undefined,
    }
    const plan = await planOf((tx) => listFigures(tx, 'org_1', period, 500))
    expect(plan).toMatch(/deployments_failure/)
    expect(plan).not.toContain('deployments_state')
  })
})

describe('what the front page and the timeline read', () => {
  it('has the test runs of what is live from their index, and reads no others', async () => {
    const plan = await planOf((tx) => listLiveTargets(tx, 'org_1', 100))
    expect(plan).toMatch(/Scan using test_runs_deployment on test_runs/)
  })

  it('searches a text among the newest deployments, and reads none of the others', async () => {
    const after = { micros: now.getTime() * 1000, id: '' }
    const plan = await planOf((tx) =>
      listDeploymentChanges(tx, 'org_1', { after, limit: 50, text: 'nothing' }),
    )
    expect(plan).toMatch(/Index Cond: .*\(created_at >= /)
  })
})
