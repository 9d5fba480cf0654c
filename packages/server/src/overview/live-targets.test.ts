import type { Overview } from '@signalbox/contract/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listLiveTargets } from '../read-models/overview/live-target-rows.ts'
import type { Tx } from '../store/store.ts'
import { openOverviewApp, type OverviewApp } from './testing/open-overview-app.ts'

let opened: OverviewApp
let app: OverviewApp
beforeAll(async () => {
  opened = await openOverviewApp()
})
beforeEach(async () => {
  app = await opened.another()
})
afterAll(() => opened.close())

const read = async (): Promise<Overview> => (await app.ok('viewer', 'GET /overview')).body
const hour = 3600 * 1000
const ago = (ms: number) => new Date(app.at.getTime() - ms)

describe('what is live, by repository and environment', () => {
  it('shows what is live of each repository in each environment', async () => {
    const staging = await app.addEnvironment('staging')
    const production = await app.addEnvironment('production')
    const shop = await app.addDeployment({ environmentId: production, createdAt: ago(3 * hour) })
    const api = await app.addDeployment({
      environmentId: production,
      repository: 'acme/Api',
      createdAt: ago(2 * hour),
      message: 'Round the tax\n\nABC-1',
      creator: { name: 'Ada', login: 'ada' },
    })
    const failed = await app.addDeployment({
      environmentId: production,
      repository: 'acme/Api',
      state: 'failure',
      createdAt: ago(hour),
    })
    await app.addDeployment({
      environmentId: staging,
      repository: 'acme/web',
      createdAt: ago(hour),
    })
    const region = await app.addDeployment({ environmentId: staging, repository: 'acme/web' })
    await app.addDeployment({ environmentId: null, repository: 'acme/elsewhere' })
    const { repositories, hasMoreRepositories } = await read()
    expect(hasMoreRepositories).toBe(false)
    expect(repositories).toMatchObject([
      {
        repository: 'acme/Api',
        targets: [
          {
            environmentId: production,
            latest: { id: failed, state: 'failure' },
            live: { id: api, title: 'Round the tax', creator: { login: 'ada' } },
            liveCount: 1,
          },
        ],
      },
      { repository: 'acme/shop', targets: [{ environmentId: production, live: { id: shop } }] },
      {
        repository: 'acme/web',
        targets: [{ latest: { id: region }, live: { id: region }, liveCount: 2 }],
      },
    ])
  })

  it('shows the tests of what is live of each repository, and says which failed', async () => {
    const environmentId = await app.addEnvironment('production')
    const api = await app.addDeployment({
      environmentId,
      repository: 'acme/api',
      createdAt: ago(2 * hour),
    })
    await app.addTestRun({ deploymentId: api, state: 'failed', passed: 9, failed: 2 })
    const shop = await app.addDeployment({ environmentId, createdAt: ago(hour) })
    await app.addTestRun({ deploymentId: shop, state: 'failed', failed: 1 })
    await app.addDeployment({ environmentId, repository: 'acme/web' })
    // Its own tests are not those of what is live.
    const news = await app.addDeployment({
      environmentId,
      repository: 'acme/api',
      state: 'failure',
      createdAt: ago(hour),
    })
    await app.addTestRun({ deploymentId: news, state: 'passed', passed: 11 })
    const { repositories, needsYou } = await read()
    expect(
      repositories.map(({ repository, targets: [target] }) => [repository, target?.tests ?? null]),
    ).toMatchObject([
      ['acme/api', { state: 'failed', passed: 9, failed: 2, contaminated: false }],
      ['acme/shop', { state: 'failed', failed: 1 }],
      ['acme/web', null],
    ])
    const failed = needsYou.filter(({ code }) => code === 'tests_failed')
    expect(new Set(failed.map(({ subjectId }) => subjectId))).toEqual(new Set([api, shop]))
    expect(failed.find(({ subjectId }) => subjectId === api)).toMatchObject({
      title: 'Tests failed in production',
      detail: expect.stringMatching(/^2 failed\. Deployed: acme\/api /),
      next: { href: `/deployments/${api}` },
    })
  })

  it('says once that the tests of the newest deployment failed', async () => {
    const environmentId = await app.addEnvironment('production')
    await app.addDeployment({ environmentId, createdAt: ago(hour) })
    const latest = await app.addDeployment({ environmentId, state: 'failure' })
    const failed = async () => (await read()).needsYou.map(({ subjectId }) => subjectId)
    await app.addTestRun({ deploymentId: latest, state: 'errored' })
    expect(await failed()).toEqual([latest])
    await app.test.asOwner(
      `update deployments set state = 'success', succeeded_at = created_at where id = $1`,
      [latest],
    )
    expect(await failed()).toEqual([latest])
    expect((await read()).repositories[0]?.targets[0]).toMatchObject({
      latest: { id: latest },
      tests: { state: 'errored' },
    })
  })

  it('shows at most a hundred repositories, and says that there are more', async () => {
    const environmentId = await app.addEnvironment('production')
    await addHistory({ environments: [environmentId], repositories: 101, each: 1 })
    const { repositories, hasMoreRepositories } = await read()
    expect([repositories.length, hasMoreRepositories]).toEqual([100, true])
  })

  it('leaves out a repository that is not tracked, or that the code host has removed', async () => {
    const environmentId = await app.addEnvironment('production')
    await app.addDeployment({ environmentId })
    await app.addDeployment({ environmentId, repository: 'acme/gone' })
    await app.addDeployment({ environmentId, repository: 'acme/left-out' })
    await app.test.asOwner(
      `update repositories set tracked = id <> 'acme/left-out', removed_at = case id when 'acme/gone' then now() end
       where org_id = $1`,
      [app.orgId],
    )
    expect((await read()).repositories.map(({ repository }) => repository)).toEqual(['acme/shop'])
  })

  it('looks at a few rows of each repository and environment, however long their history is', async () => {
    const environments = [
      await app.addEnvironment('staging'),
      await app.addEnvironment('production'),
    ]
    await addHistory({ environments, repositories: 20, each: 500 })
    await app.test.asOwner('analyze deployments')
    const statement = await captureStatement((tx) => listLiveTargets(tx, app.orgId, 101))
    const [plan] = await app.test.asOwner<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
      `explain (analyze, format json) ${statement.text}`,
      [...statement.values],
    )
    const read = countReadRows(plan?.['QUERY PLAN'][0].Plan)
    const pairs = 20 * environments.length
    // Control: one node that reads the deployments of a pair has 500 rows for each.
    expect(read).toBeGreaterThan(pairs)
    expect(read).toBeLessThan(10 * pairs)
  })
})

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Counts the rows of deployments that a plan has read. */
function countReadRows(node: PlanNode | undefined): number {
  if (node === undefined) return 0
  const own =
    node['Relation Name'] === 'deployments'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0
  return own + (node.Plans ?? []).reduce((sum, each) => sum + countReadRows(each), 0)
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Returns the statement that a function sends, which is not executed. */
async function captureStatement(run: (tx: Tx) => Promise<unknown>): Promise<Statement> {
  const sent: Statement[] = []
  const tx = {
    query: (statement: Statement) => {
      sent.push(statement)
      return Promise.resolve([])
    },
  }
  await run(tx as unknown as Tx)
  const [first] = sent
  if (first === undefined) throw new Error('Nothing was sent')
  return first
}

/** Adds `each` successes to every pair of a repository and an environment, of which the newest is live. */
async function addHistory({
  environments,
  repositories,
  each,
}: {
  readonly environments: readonly string[]
  readonly repositories: number
  readonly each: number
}): Promise<void> {
  const { orgId, test } = app
  await test.asOwner(
    `insert into repositories (org_id, id, full_name)
     select $1, 'rep_' || n, 'acme/r' || n from generate_series(1, $2::int) n`,
    [orgId, repositories],
  )
  await test.asOwner(
    `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment,
      environment_id, state, source, created_at, succeeded_at)
    select $1, 'dep_' || lpad(row_number() over ()::text, 26, '0'), 'rep_' || r, concat_ws('_', e, n), md5(n::text), 'main', 'branch', e, e,
      case n when 1 then 'success' else 'superseded' end, 'sync', at, at
    from generate_series(1, $2::int) r, unnest($3::text[]) e, generate_series(1, $4::int) n
      cross join lateral (select $5::timestamptz - n * interval '1 hour' as at) t`,
    [orgId, repositories, environments, each, app.at],
  )
}
