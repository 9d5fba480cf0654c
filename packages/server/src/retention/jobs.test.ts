import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job, Jobs } from '../jobs/jobs.ts'
import { silentLog } from '../store/log.ts'
import { workRetention, type RetentionDeps } from './jobs.ts'
import { keptMs, openOldDeployments, type OldDeployments } from './testing/open-old-deployments.ts'

let app: OldDeployments
beforeAll(async () => {
  app = await openOldDeployments()
})
afterAll(() => app.close())

/** Starts the jobs at a moment, and returns what runs one of them, with the queues that got a job meanwhile. */
async function startJobs(now: () => Date, log: RetentionDeps['log'] = silentLog) {
  const handlers = new Map<string, (job: Job) => Promise<void>>()
  const added: string[] = []
  const jobs: Pick<Jobs, 'work' | 'enqueue'> = {
    work: (queue, handler) => Promise.resolve(void handlers.set(queue, handler)),
    enqueue: (_tx, queue) => Promise.resolve(void added.push(queue)),
  }
  const keptFor = { deploymentsMs: keptMs, testResultsMs: keptMs }
  await workRetention(jobs, { store: app.test.store, log, keptFor, now })
  const run = async (queue: Job['queue'], signal = new AbortController().signal) =>
    handlers.get(queue)?.({ id: '1', queue, data: {}, attempt: 1, signal })
  return { run, added }
}

describe('the job that deletes old rows', () => {
  it('goes on in another one when its time is over, until everything was looked at', async () => {
    const { orgId } = await app.addOrganization()
    for (const number of [1, 2]) await app.deploy(orgId, number, { state: 'failure' })
    const { run, added } = await startJobs(() => new Date(Date.UTC(2026, 10, 22) + keptMs))
    await run('retention.forgetOld', AbortSignal.abort())
    expect([await app.numbers(orgId), added]).toEqual([[1, 2], ['retention.forgetOld']])
    await run('retention.forgetOld')
    expect([await app.numbers(orgId), added]).toEqual([[], ['retention.forgetOld']])
  })
})

describe('the partitions of webhooks', () => {
  it('reach eight weeks ahead after a start and every hour, and go when their time is over', async () => {
    const week = (number: number) => new Date(Date.UTC(2040, 0, 2) + number * 7 * 86_400_000)
    const listEnds = async () => {
      const rows = await app.test.asOwner(
        `select min(relname::text) as first, max(relname::text) as last from pg_class
          where relispartition and relkind = 'r' and relname ~ '^received_webhooks_\\d{8}$'`,
      )
      return rows[0]
    }
    let now = week(0)
    const { run } = await startJobs(() => now)
    expect(await listEnds()).toEqual({
      first: 'received_webhooks_20400102',
      last: 'received_webhooks_20400227',
    })
    now = new Date(week(1).getTime() + keptMs)
    await run('retention.purge')
    expect(await listEnds()).toEqual({
      first: 'received_webhooks_20400109',
      last: 'received_webhooks_20400402',
    })
  })
  it('stop neither the start nor the purge when they cannot be kept', async () => {
    const at = new Date(Date.UTC(2045, 0, 2))
    const isPurged = async () => {
      await app.test
        .asOwner(`insert into idempotency_keys (org_id, credential_id, route, key, request_hash, created_at)
        select id, 'key_1', 'createSchema', 'old', '', '2020-01-01' from organizations limit 1`)
      await run('retention.purge')
      return (await app.test.asOwner(`select from idempotency_keys where key = 'old'`)).length === 0
    }
    const warned: unknown[] = []
    const warn = (message: string, fields?: object) => void warned.push({ message, ...fields })
    await startJobs(() => at)
    await app.test.asOwner(
      'alter table received_webhooks detach partition received_webhooks_20450116',
    )
    const { run } = await startJobs(() => at, { warn })
    expect([await isPurged(), warned]).toEqual([true, []])
    await app.test.asOwner(
      'revoke execute on function partition_ranges(text) from signalbox_maintenance',
    )
    await startJobs(() => at, { warn })
    const message = 'Could not keep the partitions of a table'
    const warning = { message, subject: 'received_webhooks', error: expect.anything() }
    expect([await isPurged(), warned]).toEqual([true, [warning, warning]])
  })
})
