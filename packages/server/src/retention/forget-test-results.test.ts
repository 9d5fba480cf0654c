import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replaceResults, saveReport } from '../test-runs/reports/report-rows.ts'
import { keptMs, openOldDeployments, type OldDeployments } from './testing/open-old-deployments.ts'

const keptFor = { deploymentsMs: undefined, testResultsMs: keptMs }
let app: OldDeployments
let orgId: string

beforeAll(async () => {
  app = await openOldDeployments()
})
afterAll(() => app.close())
beforeEach(async () => {
  ;({ orgId } = await app.addOrganization())
})

/** Counts the results of a run, and reads what stays of it. */
async function read(runId: string) {
  const [row] = await app.test.asOwner<{ readonly results: number; readonly passed: number }>(
    `select (select count(*)::int from test_results where run_id = $1) as results, passed,
        (select count(*)::int from test_reports where run_id = $1) as reports from test_runs where id = $1`,
    [runId],
  )
  return row
}

describe('the results of an old test run', () => {
  it('are kept to the second, and then deleted in every organization; runs and reports stay', async () => {
    const { orgId: other } = await app.addOrganization()
    await app.deploy(orgId, 1)
    const deploymentId = await app.idOf(orgId, 1)
    const old = await app.addRun(orgId, { deploymentId, results: 5 })
    const alone = await app.addRun(other, { results: 4 })
    const young = await app.addRun(orgId, { receivedAt: 2, results: 3 })
    expect(await app.forget(2, { keptFor })).toBe(true)
    expect(await Promise.all([old, alone, young].map(read))).toEqual([
      { results: 0, reports: 1, passed: 5 },
      { results: 0, reports: 1, passed: 4 },
      { results: 3, reports: 1, passed: 3 },
    ])
    expect(await app.numbers(orgId)).toEqual([1])
  })

  it('are deleted some at a time, and go on where it was interrupted', async () => {
    const runs = [await app.addRun(orgId, { results: 5 }), await app.addRun(orgId, { results: 2 })]
    const batch = { deployments: 1, results: 3 }
    const stop = new AbortController()
    const store: typeof app.test.store = {
      ...app.test.store,
      maintenance: (work) => {
        stop.abort()
        return app.test.store.maintenance(work)
      },
    }
    expect(await app.forget(100, { keptFor, batch, store }, stop.signal)).toBe(false)
    const left = (await Promise.all(runs.map(read))).map((run) => run?.results ?? 0)
    expect(left.reduce((sum, results) => sum + results, 0)).toBeGreaterThan(0)
    expect(await app.forget(100, { keptFor, batch })).toBe(true)
    expect((await Promise.all(runs.map(read))).map((run) => run?.results)).toEqual([0, 0])
  })

  it('are looked for once', async () => {
    await app.addRun(orgId, { results: 1 })
    await app.forget(100, { keptFor })
    let transactions = 0
    const store: typeof app.test.store = {
      ...app.test.store,
      maintenance: (work) => {
        transactions += 1
        return app.test.store.maintenance(work)
      },
    }
    await app.forget(100, { keptFor, store, batch: { deployments: 1, results: 10 } })
    expect(transactions).toBe(1)
  })

  it('are not stored anew by the same report, and are by another one', async () => {
    const runId = await app.addRun(orgId, { results: 1 })
    await app.forget(100, { keptFor })
    const shard = { runId, attempt: 1, shard: '' }
    const save = (hash: string) =>
      app.test.store.transaction({ orgId }, async (tx) => {
        const counts = { passed: 1, failed: 0, skipped: 0, flaky: 0 }
        const summary = { ...counts, durationMs: null, startedAt: null, finishedAt: null }
        const receivedAt = new Date('2026-11-21T06:00:05Z')
        const report = { hash: Buffer.from(hash), format: 'ctrf', summary, receivedAt } as const
        const isNews = await saveReport(tx, orgId, shard, { ...report, contaminated: false })
        const result = { suite: '', name: 'a', status: 'passed', retries: 0, flaky: false } as const
        if (isNews)
          await replaceResults(tx, orgId, shard, [{ ...result, durationMs: null, message: null }])
      })
    await save('')
    expect((await read(runId))?.results).toBe(0)
    await save('other')
    expect((await read(runId))?.results).toBe(1)
    await app.forget(100, { keptFor })
    expect((await read(runId))?.results).toBe(0)
  })
})
