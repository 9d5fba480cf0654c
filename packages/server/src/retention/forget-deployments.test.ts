import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../crypto/ids.ts'
import { openOldDeployments, type OldDeployments } from './testing/open-old-deployments.ts'

let app: OldDeployments
let orgId: string

beforeAll(async () => {
  app = await openOldDeployments()
})
afterAll(() => app.close())
beforeEach(async () => {
  ;({ orgId } = await app.addOrganization())
})

const count = async (table: string, of = orgId) =>
  (await app.test.asOwner(`select from ${table} where org_id = $1`, [of])).length

/** Adds a row of each table that names a deployment. */
async function addBelongings(deploymentId: string): Promise<void> {
  await app.test.asOwner(
    `with c as (insert into deployment_commits (org_id, deployment_id, position, sha, message) values ($1, $2, 1, 's', 'm')),
      i as (insert into deployment_issues (org_id, deployment_id, key, state) values ($1, $2, 'OLD-1', 'linked')),
      j as (insert into deployment_jobs (org_id, repository_id, external_id, deployment_id)
        select org_id, repository_id, 'job', id from deployments where org_id = $1 and id = $2)
    insert into notifications (org_id, id, subject_kind, subject_id, state, desired_rev, sent_rev) values
      ($1, $3, 'deployment', $2, 'live', 1, 1), ($1, $4, 'deployment_details', $2, 'held', 1, 0),
      ($1, $5, 'deployment_failure', $2, 'gone', 1, 1)`,
    [orgId, deploymentId, ...[1, 2, 3].map(() => newId('ntf', new Date()))],
  )
  await app.addRun(orgId, { deploymentId, results: 3 })
}

/** Lists the columns of every table in which an id stands. */
async function findMentions(id: string): Promise<string[]> {
  const columns = await app.test.asOwner<{ readonly table: string; readonly column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.data_type = 'text'
        and c.table_name <> 'live_changes'`,
  )
  const looks = columns.map(
    ({ table, column }) =>
      `select '${table}.${column}' as place where exists (select from "${table}" where "${column}" = $1)`,
  )
  const places = await app.test.asOwner<{ readonly place: string }>(looks.join(' union all '), [id])
  return places.map(({ place }) => place).toSorted()
}

describe('an old deployment', () => {
  it('is kept without the setting', async () => {
    for (const number of [1, 2, 3]) await app.deploy(orgId, number, { state: 'failure' })
    const keptFor = { deploymentsMs: undefined, testResultsMs: undefined }
    expect(await app.forget(100, { keptFor })).toBe(true)
    expect(await app.numbers(orgId)).toEqual([1, 2, 3])
  })

  it('is kept to the second, and then deleted', async () => {
    for (const number of [1, 2, 3]) await app.deploy(orgId, number, { state: 'failure' })
    await app.forget(2)
    expect(await app.numbers(orgId)).toEqual([2, 3])
  })

  it('is as old as the last that happened to it', async () => {
    await app.deploy(orgId, 1, { state: 'failure', endedAt: 5 })
    await app.forget(5)
    expect(await app.numbers(orgId)).toEqual([1])
    await app.forget(6)
    expect(await app.numbers(orgId)).toEqual([])
  })

  it('goes with everything that names it', async () => {
    await app.deploy(orgId, 1, { state: 'failure' })
    const id = await app.idOf(orgId, 1)
    await addBelongings(id)
    expect(await findMentions(id)).toEqual([
      'deployment_commits.deployment_id',
      'deployment_issues.deployment_id',
      'deployment_jobs.deployment_id',
      'deployment_statuses.deployment_id',
      'deployments.id',
      'notifications.subject_id',
      'test_runs.deployment_id',
    ])
    await app.forget(100)
    expect(await findMentions(id)).toEqual([])
    for (const table of ['test_runs', 'test_reports', 'test_results', 'notifications'])
      expect([table, await count(table)]).toEqual([table, 0])
  })

  it('of another organization is deleted by its own age', async () => {
    const { orgId: other } = await app.addOrganization()
    for (const number of [1, 2]) await app.deploy(orgId, number, { state: 'failure' })
    for (const number of [2, 3]) await app.deploy(other, number, { state: 'failure' })
    await app.forget(2)
    expect([await app.numbers(orgId), await app.numbers(other)]).toEqual([[2], [2, 3]])
  })

  it('is deleted with others, however few a transaction takes and wherever it ends', async () => {
    for (const number of [1, 2, 3, 4, 5]) await app.deploy(orgId, number, { state: 'failure' })
    await app.deploy(orgId, 6)
    await addBelongings(await app.idOf(orgId, 1))
    const stop = new AbortController()
    const batch = { deployments: 2, results: 2 }
    let transactions = 0
    const store: typeof app.test.store = {
      ...app.test.store,
      maintenance: async (work) => {
        transactions += 1
        // The organization, the first results, and the page with the others.
        if (transactions === 4) stop.abort()
        return app.test.store.maintenance(work)
      },
    }
    expect(await app.forget(100, { store, batch }, stop.signal)).toBe(false)
    expect((await app.numbers(orgId)).length).toBeGreaterThan(1)
    expect(await app.forget(100, { batch })).toBe(true)
    expect(await app.numbers(orgId)).toEqual([6])
    expect(await app.forget(100, { batch })).toBe(true)
    expect(await app.numbers(orgId)).toEqual([6])
  })

  it('goes after its results, and no transaction deletes more of them than it may', async () => {
    await app.deploy(orgId, 1, { state: 'failure' })
    await app.addRun(orgId, { deploymentId: await app.idOf(orgId, 1), results: 7 })
    await app.addRun(orgId, { results: 7 })
    const left = [await count('test_results')]
    const store: typeof app.test.store = {
      ...app.test.store,
      maintenance: async (work) => {
        const result = await app.test.store.maintenance(work)
        left.push(await count('test_results'))
        return result
      },
    }
    expect(await app.forget(100, { store, batch: { deployments: 10, results: 3 } })).toBe(true)
    const deleted = left.slice(1).map((results, index) => (left[index] ?? 0) - results)
    expect(deleted.filter((results) => results > 0)).toEqual([3, 3, 1, 3, 3, 1])
    expect([await count('deployments'), await count('test_runs')]).toEqual([0, 0])
  })

  it('is left to the next time while a report has it, and nobody waits', async () => {
    for (const number of [1, 2]) await app.deploy(orgId, number, { state: 'failure' })
    await app.test.store.transaction({ orgId }, async (tx) => {
      await tx.query({
        name: 'lock-one',
        text: `select id from deployments where org_id = $1 and external_id = '1001' for update`,
        values: [orgId],
      })
      await app.forget(100)
    })
    expect(await app.numbers(orgId)).toEqual([1])
  })

  it('is announced to dashboards by some rows, and to nobody else', async () => {
    await app.deploy(orgId, 1, { state: 'failure' })
    await app.test.asOwner(
      `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, state,
          reported_state, source, created_at)
        select org_id, 'dep_copy' || n, repository_id, (2000 + n)::text, sha, ref, ref_kind, host_environment, state,
          reported_state, source, created_at from deployments, generate_series(1, 250) n where org_id = $1`,
      [orgId],
    )
    await app.test.asOwner(
      `insert into test_runs (org_id, id, deployment_id, name, state, finished_at)
        select org_id, 'run' || id, id, 'e2e', 'passed', created_at from deployments where org_id = $1`,
      [orgId],
    )
    await app.test.asOwner(
      `insert into deployment_issues (org_id, deployment_id, key, state)
        select org_id, id, 'ABC-1', 'linked' from deployments where org_id = $1`,
      [orgId],
    )
    await app.test.asOwner('delete from live_changes')
    app.emitted.length = 0
    await app.forget(100, { batch: { deployments: 300, results: 5_000 } })
    expect(await app.numbers(orgId)).toEqual([])
    const changes = await app.test.asOwner(
      'select topic, subject_id from live_changes where org_id = $1 order by topic',
      [orgId],
    )
    expect([...new Set(changes.map((change) => JSON.stringify(change)))]).toEqual([
      '{"topic":"deployment","subject_id":""}',
      '{"topic":"test_run","subject_id":""}',
    ])
    expect(changes.length).toBeLessThan(10)
    expect(app.emitted).toEqual([])
  })
})

describe('a deployment that people still need', () => {
  it('is what is live, and what is live is compared with; those before are deleted', async () => {
    for (const number of [1, 2, 3, 4]) await app.deploy(orgId, number)
    await app.deploy(orgId, 5, { state: 'failure' })
    await app.deploy(orgId, 6, { task: 'migrate' })
    await app.deploy(orgId, 7, { environment: 'staging' })
    await app.forget(100)
    expect(await app.numbers(orgId)).toEqual([3, 4, 6, 7])
  })

  it('is the newest success also after its code host took it out', async () => {
    await app.deploy(orgId, 1)
    await app.deploy(orgId, 1, { state: 'inactive', endedAt: 2 })
    await app.forget(100)
    expect(await app.numbers(orgId)).toEqual([1])
  })

  it('is what a younger one is compared with, however that ended', async () => {
    for (const number of [1, 2, 3]) await app.deploy(orgId, number)
    await app.deploy(orgId, 8, { state: 'failure' })
    await app.deploy(orgId, 9)
    await app.deploy(orgId, 10)
    await app.forget(8)
    expect(await app.numbers(orgId)).toEqual([3, 8, 9, 10])
  })

  it('is what a younger success is compared with', async () => {
    for (const number of [1, 2, 3]) await app.deploy(orgId, number)
    for (const number of [9, 10, 11]) await app.deploy(orgId, number)
    await app.forget(5)
    expect(await app.numbers(orgId)).toEqual([3, 9, 10, 11])
  })

  it('is what an old one is compared with that has not ended', async () => {
    for (const number of [1, 2]) await app.deploy(orgId, number)
    await app.deploy(orgId, 3, { state: 'in_progress' })
    for (const number of [4, 5, 6]) await app.deploy(orgId, number)
    await app.forget(100)
    expect(await app.numbers(orgId)).toEqual([2, 3, 5, 6])
  })

  it('has not ended', async () => {
    await app.deploy(orgId, 1, { state: 'pending' })
    await app.deploy(orgId, 2, { state: 'in_progress' })
    await app.deploy(orgId, 3)
    await app.forget(100)
    expect(await app.numbers(orgId)).toEqual([1, 2, 3])
  })

  it('has a test run that has not ended', async () => {
    for (const number of [1, 2]) await app.deploy(orgId, number, { state: 'failure' })
    await app.addRun(orgId, { deploymentId: await app.idOf(orgId, 1), finishedAt: null })
    await app.forget(100)
    expect(await app.numbers(orgId)).toEqual([1])
  })

  it('is why the tests of a kept one prove nothing, and why those of that one do', async () => {
    for (const number of [1, 2, 3]) await app.deploy(orgId, number, { state: 'failure' })
    await app.deploy(orgId, 4)
    const [first = '', second = '', live = ''] = await Promise.all(
      [1, 2, 4].map((number) => app.idOf(orgId, number)),
    )
    await app.addRun(orgId, { deploymentId: live, contaminatedBy: second })
    await app.addRun(orgId, { deploymentId: second, contaminatedBy: first })
    await app.forget(100)
    expect(await app.numbers(orgId)).toEqual([1, 2, 4])
  })

  it.each([
    ['wanted', 0],
    ['sending', 1],
    ['live', 0],
  ])('has a message on its way (%s)', async (state, sentRev) => {
    for (const number of [1, 2]) await app.deploy(orgId, number, { state: 'failure' })
    await app.test.asOwner(
      `insert into notifications (org_id, id, subject_kind, subject_id, state, desired_rev, sent_rev)
        values ($1, $2, 'deployment', $3, $4, 1, $5)`,
      [orgId, newId('ntf', new Date()), await app.idOf(orgId, 1), state, sentRev],
    )
    await app.forget(100)
    expect(await app.numbers(orgId)).toEqual([1])
  })
})

describe('a test run of no deployment', () => {
  it('is deleted with its results when it ended before the moment', async () => {
    await app.addRun(orgId, { createdAt: 1, results: 5 })
    const young = await app.addRun(orgId, { createdAt: 2, results: 5 })
    const late = await app.addRun(orgId, { createdAt: 1, finishedAt: 2 })
    const open = await app.addRun(orgId, { createdAt: 1, finishedAt: null })
    for (const batch of [{ deployments: 1, results: 2 }, undefined])
      expect(await app.forget(2, { ...(batch && { batch }) })).toBe(true)
    const runs = await app.test.asOwner<{ readonly id: string }>(
      'select id from test_runs where org_id = $1',
      [orgId],
    )
    expect(new Set(runs.map(({ id }) => id))).toEqual(new Set([young, late, open]))
    expect(await count('test_results')).toBe(5)
  })
})
