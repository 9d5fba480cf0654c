import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOverviewApp, type OverviewApp } from './testing/open-overview-app.ts'

let app: OverviewApp
let environmentId: string
const at = (text: string) => new Date(`2026-11-${text}Z`)
const hour = 3600 * 1000

beforeAll(async () => {
  app = await openOverviewApp()
  app.at = at('22T12:00:00')
  environmentId = await app.addEnvironment('production')
  const committed = (text: string, hours: number) => ({
    createdAt: at(text),
    succeededAt: at(text),
    firstCommittedAt: new Date(at(text).getTime() - hours * hour),
  })
  await app.addDeployment({ environmentId, ...committed('20T08:00:00', 1) })
  await app.addDeployment({ environmentId, ...committed('20T09:00:00', 3) })
  await app.addDeployment({ ...committed('20T23:30:00', 11), state: 'superseded' })
  // Nobody knows which commits it brought.
  await app.addDeployment({ environmentId, createdAt: at('21T08:00:00') })
  await app.addDeployment({
    environmentId,
    state: 'failure',
    createdAt: at('20T10:00:00'),
    finishedAt: at('21T10:00:00'),
  })
  await app.addDeployment({ state: 'error', createdAt: at('01T10:00:00') })
  await app.addDeployment({ createdAt: at('23T10:00:00') })
})
afterAll(() => app.close())

const series = async (query: string) => (await app.ok('viewer', `GET /series/${query}`)).body

describe('the series of deployments', () => {
  it('counts on the day of the success or failure, with the median from the first commit to the success', async () => {
    expect(await series('deployments?days=3')).toEqual({
      timeZone: 'UTC',
      items: [
        { date: '2026-11-20', deployed: 3, failed: 0, medianLeadTimeMs: 3 * hour },
        { date: '2026-11-21', deployed: 1, failed: 1, medianLeadTimeMs: null },
        { date: '2026-11-22', deployed: 0, failed: 0, medianLeadTimeMs: null },
      ],
      total: { deployed: 4, failed: 1, medianLeadTimeMs: 3 * hour, failureRate: 0.2 },
    })
  })

  it('counts of one environment alone', async () => {
    const { items, total } = await series(`deployments?days=3&environmentId=${environmentId}`)
    expect(items[0]).toMatchObject({ deployed: 2, medianLeadTimeMs: 2 * hour })
    expect(total).toMatchObject({ deployed: 3, failed: 1 })
  })

  it('counts of one repository alone, and nothing of one that is not there', async () => {
    await app.addDeployment({ repository: 'acme/api', createdAt: at('19T08:00:00') })
    await app.addDeployment({
      repository: 'acme/api',
      state: 'failure',
      createdAt: at('19T09:00:00'),
    })
    const { total } = await series('deployments?days=4&repository=ACME/api')
    expect(total).toMatchObject({ deployed: 1, failed: 1 })
    const { total: none } = await series('deployments?days=4&repository=acme/none')
    expect(none).toMatchObject({ deployed: 0, failed: 0 })
  })

  it('has the days of the time zone that is asked for', async () => {
    const { items } = await series('deployments?days=2&timeZone=Asia/Tokyo')
    expect(items).toMatchObject([
      { date: '2026-11-21', deployed: 2, failed: 1 },
      { date: '2026-11-22', deployed: 0 },
    ])
  })

  it('begins and ends a day as clocks do that are put back or forward', async () => {
    app.at = new Date('2026-10-26T12:00:00Z')
    // 25 hours: the clocks of Berlin go back at one o’clock of this time.
    for (const time of ['24T21:30', '24T22:00', '25T22:59', '25T23:00']) {
      await app.addDeployment({ createdAt: new Date(`2026-10-${time}:00Z`) })
    }
    const { items, total } = await series('deployments?days=3&timeZone=Europe/Berlin')
    expect(items).toMatchObject([
      { date: '2026-10-24', deployed: 1 },
      { date: '2026-10-25', deployed: 2 },
      { date: '2026-10-26', deployed: 1 },
    ])
    expect(total).toMatchObject({ deployed: 4 })
    app.at = at('22T12:00:00')
  })

  it('has a day for each day, and no more than a year of them', async () => {
    expect((await series('deployments')).items).toHaveLength(30)
    expect((await series('deployments?days=366')).items).toHaveLength(366)
    const refused = await app.call('viewer', 'GET /series/deployments?days=367')
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_query' } })
  })

  it('refuses a time zone that is none, and an environment of somebody else', async () => {
    const offset = await app.call('viewer', 'GET /series/deployments?timeZone=%2B05:30')
    expect([offset.status, offset.body.code]).toEqual([400, 'invalid_query'])
    const zone = await app.call('viewer', 'GET /series/deployments?timeZone=Mars/Olympus')
    expect(zone).toMatchObject({ status: 400, body: { code: 'invalid_query' } })
    const absent = `GET /series/deployments?environmentId=env_${'0'.repeat(26)}`
    expect(await app.call('viewer', absent)).toMatchObject({ status: 404 })
  })

  it('reads a month of a year of deployments from the index alone', async () => {
    const [orgId, { test }] = ['org_many', app]
    await test.asOwner(`insert into organizations (id, slug, name) values ($1, 'many', 'Many')`, [
      orgId,
    ])
    await test.asOwner(`insert into repositories (org_id, id, full_name) values ($1, 'r', 'a/b')`, [
      orgId,
    ])
    await test.asOwner(
      `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, state, source,
        created_at, succeeded_at)
      select $1, 'dep_' || n, 'r', n::text, md5(n::text), 'main', 'branch', 'live', 'superseded', 'sync', at, at
      from generate_series(1, 20000) n cross join lateral (select $2::timestamptz - n * interval '26 minutes' as at) t`,
      [orgId, app.at],
    )
    // Rows are passed over in the table only once no transaction is open any more that could see them otherwise.
    const isVisible = async () => {
      await test.asOwner('vacuum analyze deployments')
      const [table] = await test.asOwner<{ isVisible: boolean }>(
        `select relallvisible = relpages as "isVisible" from pg_class where relname = 'deployments'`,
      )
      return table?.isVisible
    }
    await expect.poll(isVisible).toBe(true)
    const plan = await test.asOwner<{ 'QUERY PLAN': string }>(
      `explain select succeeded_at, first_committed_at, environment_id, repository_id from deployments
       where org_id = '${orgId}' and succeeded_at >= '2026-10-23' and succeeded_at <= '2026-11-22'`,
    )
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toContain('Index Only Scan using deployments_succeeded')
  })
})

describe('the series of test runs', () => {
  beforeAll(async () => {
    const finishedAt = at('20T08:00:00')
    await app.addTestRun({ state: 'passed', passed: 10, flaky: 1, durationMs: 1000, finishedAt })
    const later = at('20T08:00:01')
    const failed = { state: 'failed', passed: 8, failed: 2, durationMs: 3000 }
    await app.addTestRun({ ...failed, finishedAt: later })
    await app.addTestRun({ state: 'skipped', finishedAt })
  })

  it('sums up the finished runs of each day', async () => {
    const { items } = await series('test-runs?days=3')
    expect(items).toHaveLength(3)
    expect(items[0]).toEqual({
      date: '2026-11-20',
      runId: null,
      deploymentId: null,
      state: null,
      runs: 2,
      failedRuns: 1,
      passed: 18,
      failed: 2,
      skipped: 0,
      flaky: 1,
      durationMs: 2000,
    })
  })

  it('shows them one by one when asked to', async () => {
    const { items } = await series('test-runs?days=3&per=run')
    expect(items).toMatchObject([
      { state: 'passed', passed: 10, durationMs: 1000 },
      { state: 'failed', failed: 2, failedRuns: 1 },
    ])
  })

  it('counts those of one repository by their deployments', async () => {
    const deploymentId = await app.addDeployment({
      repository: 'acme/web',
      createdAt: at('20T07:00:00'),
    })
    const finishedAt = at('21T08:00:00')
    await app.addTestRun({ deploymentId, state: 'passed', passed: 5, finishedAt })
    for (const per of ['day', 'run']) {
      const { items } = await series(`test-runs?days=3&per=${per}&repository=acme/web`)
      const passed = items.map((item: { passed: number }) => item.passed)
      expect(passed.filter((count: number) => count > 0)).toEqual([5])
    }
  })
})
