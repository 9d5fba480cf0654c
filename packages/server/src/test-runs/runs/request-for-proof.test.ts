import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addProof } from '../../configs/testing/add-proof.ts'
import { newId } from '../../crypto/ids.ts'
import { openTestRuns, type TestRunApp } from '../testing/open-test-runs.ts'
import { proofTests } from './proof-tests.ts'
import { requestRunsForProof } from './request-for-proof.ts'

let app: TestRunApp
let proofId: string
const spec = {
  kind: 'tests',
  repository: 'Acme/Shop',
  workflow: 'e2e.yml',
  deadlineMinutes: 20,
} as const

beforeAll(async () => {
  app = await openTestRuns()
  const { orgId, environmentId, clock } = app
  const own = [orgId, environmentId]
  await app.test.asOwner(`update integrations set settings = '{}'`)
  await app.test.asOwner(
    `insert into config_schemas (org_id, id, name, definition) values ($1, 'sch_1', 'shop', '{}')`,
    [orgId],
  )
  await app.test.asOwner(
    `insert into current_values (org_id, schema_id, environment_id) values ($1, 'sch_1', $2)`,
    own,
  )
  const versionId = newId('ver', clock)
  await app.test.asOwner(
    `insert into config_versions (org_id, schema_id, environment_id, version, id, kind, author, changes, open_values, secret_values)
      values ($1, 'sch_1', $2, 14, $3, 'write', '{}', '[]', '{}', '{}')`,
    [...own, versionId],
  )
  proofId = await addProof(app.test, {
    orgId,
    versionId,
    signals: { 'shop-tests': spec, errors: 'http' },
  })
})
afterEach(async () => {
  app.host.reset()
  app.passMs(3_600_000)
  for (const table of ['test_runs', 'deployments', 'pending_jobs'])
    await app.test.asOwner(`delete from ${table}`)
  await app.test.asOwner(`update proofs set state = 'watching', fence = 0`)
})
afterAll(() => app.close())

const ask = async (times = 1) => {
  const { orgId } = app
  for (let time = 0; time < times; time += 1)
    await requestRunsForProof(app.deps, { orgId, proofId })
}

/** Returns what the runs of the proof say, each in the words of the proof. */
async function read(fence = 0) {
  const { orgId, test } = app
  const [signal] = await test.asOwner<{ id: string }>(`select id from signals where kind = 'tests'`)
  const keys = [`proof:${proofId}:${signal?.id}:${fence}`]
  const tests = await test.store.transaction({ orgId }, (tx) => proofTests(tx, orgId, keys))
  return tests.map(({ outcome, detail }) => `${outcome}: ${detail}`)
}

describe('the tests of a proof', () => {
  it('run once on the newest live deployment, with the version, however often they are asked for', async () => {
    await app.deploy()
    app.passMs(60_000)
    const newest = await app.deploy()
    app.passMs(60_000)
    await app.deploy({ state: 'failure' })
    await app.test.asOwner('delete from pending_jobs')
    await ask(3)
    expect(await read()).toEqual(['pending: the tests have not ended'])
    await app.work(0)
    const [run, ...others] = await app.runs()
    expect(others).toEqual([])
    expect(run).toMatchObject({
      deploymentId: newest,
      name: 'e2e.yml with configuration v14',
      configVersion: 14,
      deadlineMinutes: 20,
      state: 'queued',
    })
    expect(app.host.dispatches).toMatchObject([
      { workflowId: 'e2e.yml', inputs: { deployment_id: newest, config_version: '14' } },
    ])
    await app.deploy()
    await ask()
    expect(await app.runs()).toHaveLength(1)
    await app.test.asOwner('update proofs set fence = 1')
    await ask()
    expect(await app.runs()).toHaveLength(2)
    expect(await read(1)).toEqual(['pending: the tests have not ended'])
  })

  it('are not started where nothing of the repository is live, or nobody watches any more', async () => {
    await ask()
    await app.deploy({ state: 'failure' })
    await app.test.asOwner('delete from pending_jobs')
    await ask()
    expect(await app.runs()).toEqual([])
    await app.deploy()
    await app.test.asOwner('delete from pending_jobs')
    await app.test.asOwner(`update proofs set state = 'stopped'`)
    await ask()
    expect(await app.runs()).toEqual([])
    expect(await read()).toEqual([])
    // Control: watched and live, it is started.
    await app.test.asOwner(`update proofs set state = 'watching'`)
    await ask()
    expect(await app.runs()).toHaveLength(1)
  })

  it.each([
    [`state = 'passed', finished_at = now()`, 'passed: the tests passed'],
    [
      `state = 'failed', finished_at = now(), passed = 37, failed = 3`,
      'failed: 3 of 40 tests failed',
    ],
    [`state = 'failed', finished_at = now()`, 'failed: the tests failed'],
    [`state = 'errored', finished_at = now()`, 'none: the tests did not run to their end'],
    [`state = 'timed_out', finished_at = now()`, 'none: the tests took too long'],
    [`state = 'skipped', finished_at = now()`, 'none: the tests were skipped'],
    [`state = 'cancelled', finished_at = now()`, 'none: the tests were cancelled'],
    [
      `state = 'failed', finished_at = now(), contaminated_by = 'dep_2'`,
      'none: another deployment went live while the tests ran',
    ],
    [
      `state = 'failed', finished_at = now(), tested_sha = 'bbbb'`,
      'none: the tests ran on another commit',
    ],
    [`state = 'running'`, 'pending: the tests have not ended'],
  ])('of which one is %s say "%s"', async (change, said) => {
    await app.deploy()
    await ask()
    await app.test.asOwner(`update test_runs set ${change}`)
    expect(await read()).toEqual([said])
  })
})
