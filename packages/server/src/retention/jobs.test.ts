import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job, Jobs } from '../jobs/jobs.ts'
import { silentLog } from '../store/log.ts'
import { createBelievedTime } from './believed-time.ts'
import { workRetention, type RetentionDeps } from './jobs.ts'
import { keptMs, openOldDeployments, type OldDeployments } from './testing/open-old-deployments.ts'

let app: OldDeployments
beforeAll(async () => {
  app = await openOldDeployments()
})
afterAll(() => app.close())

/** Starts the jobs at a moment, and returns what runs one of them, with the queues that got a job meanwhile. */
async function startJobs(
  now: () => Date,
  { log = silentLog, elapsed }: Partial<Pick<RetentionDeps, 'log' | 'elapsed'>> = {},
) {
  const handlers = new Map<string, (job: Job) => Promise<void>>()
  const added: string[] = []
  const jobs: Pick<Jobs, 'work' | 'enqueue'> = {
    work: (queue, handler) => Promise.resolve(void handlers.set(queue, handler)),
    enqueue: (_tx, queue) => Promise.resolve(void added.push(queue)),
  }
  const keptFor = { deploymentsMs: keptMs, testResultsMs: keptMs }
  await workRetention(jobs, {
    store: app.test.store,
    log,
    keptFor,
    now,
    ...(elapsed && { elapsed }),
  })
  const run = async (queue: Job['queue'], signal = new AbortController().signal) =>
    handlers.get(queue)?.({ id: '1', queue, data: {}, attempt: 1, signal })
  return { run, added }
}

/** Lets the database believe a moment, as one does whose clock has been right until then. */
const believe = (moment: Date) =>
  app.test.asOwner('update believed_time set moment = $1, read_at = $1, ahead_ms = 0', [moment])

describe('the job that deletes old rows', () => {
  it('goes on in another one when its time is over, until everything was looked at', async () => {
    const { orgId } = await app.addOrganization()
    for (const number of [1, 2]) await app.deploy(orgId, number, { state: 'failure' })
    const at = new Date(Date.UTC(2026, 10, 22) + keptMs)
    await believe(at)
    const { run, added } = await startJobs(() => at)
    await run('retention.forgetOld', AbortSignal.abort())
    expect([await app.numbers(orgId), added]).toEqual([[1, 2], ['retention.forgetOld']])
    await run('retention.forgetOld')
    expect([await app.numbers(orgId), added]).toEqual([[], ['retention.forgetOld']])
  })
})

describe('the partitions of webhooks', () => {
  it('reach eight weeks ahead after a start and every hour, and go one in an hour when their time is over', async () => {
    const week = (number: number) => new Date(Date.UTC(2040, 0, 2) + number * 7 * 86_400_000)
    const list = async () => {
      const rows = await app.test.asOwner<{ name: string }>(
        `select relname::text as name from pg_class
          where relispartition and relkind = 'r' and relname ~ '^received_webhooks_\\d{8}$' order by 1`,
      )
      return rows.map(({ name }) => name)
    }
    const before = await list()
    const dropped: unknown[] = []
    const log = { ...silentLog, info: (_: string, fields?: object) => void dropped.push(fields) }
    let now = week(0)
    const { run } = await startJobs(() => now, { log })
    await believe(now)
    const added = (await list()).slice(before.length)
    expect([added.at(0), added.at(-1)]).toEqual([
      'received_webhooks_20400102',
      'received_webhooks_20400227',
    ])
    for (const name of before) {
      await run('retention.purge')
      expect(dropped.at(-1)).toMatchObject({ subject: name })
    }
    now = new Date(week(1).getTime() + keptMs)
    await believe(now)
    await run('retention.purge')
    const left = await list()
    expect([left.at(0), left.at(-1)]).toEqual([
      'received_webhooks_20400109',
      'received_webhooks_20400402',
    ])
    expect(dropped).toHaveLength(before.length + 1)
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
    const log = { ...silentLog, warn }
    await believe(at)
    await startJobs(() => at)
    await app.test.asOwner(
      'alter table received_webhooks detach partition received_webhooks_20450116',
    )
    const { run } = await startJobs(() => at, { log })
    expect([await isPurged(), warned]).toEqual([true, []])
    await app.test.asOwner(
      'revoke execute on function partition_ranges(text) from signalbox_maintenance',
    )
    await startJobs(() => at, { log })
    const message = 'Could not keep the partitions of a table'
    const warning = { message, subject: 'received_webhooks', error: expect.anything() }
    expect([await isPurged(), warned]).toEqual([true, [warning, warning]])
  })
})

describe('a clock that jumps ahead', () => {
  const hourMs = 3_600_000
  const dayMs = 24 * hourMs
  const right = new Date(Date.UTC(2026, 10, 22))
  const tables = [
    'received_webhooks',
    'received_webhook_ids',
    'sessions',
    'idempotency_keys',
    'invitations',
    'deployments',
    'organizations',
  ]
  const count = () =>
    Promise.all(
      tables.map(async (table) => [table, (await app.test.asOwner(`select from ${table}`)).length]),
    )
  /** Adds a row of each table that is young by the right clock. */
  const addYoung = async () => {
    const { orgId } = await app.addOrganization()
    await app.deploy(orgId, 1, { state: 'failure' })
    for (const insert of [
      `insert into organizations (id, slug, name, deleted_at) select 'gone' || $2, 'gone', 'G', $1::timestamptz`,
      `insert into users (id, email, name) select 'usr_a' || $2, 'a@example.com', $1::timestamptz::text`,
      `insert into sessions (token_hash, user_id, used_at, expires_at)
        select '', 'usr_a' || $2, $1::timestamptz + interval '2 days', $1::timestamptz + interval '2 days'`,
      `insert into idempotency_keys (org_id, credential_id, route, key, request_hash, created_at)
        select $2, 'key_1', 'createSchema', 'young', '', $1::timestamptz`,
      `insert into invitations (org_id, id, email, role, token_hash, invited_by, created_at, expires_at)
        select $2, 'inv_1', 'b@example.com', 'viewer', '', '{}', $1::timestamptz, $1`,
      `insert into received_webhooks (id, provider, delivery_id, event, headers, body, origin, state, received_at)
        select 'dlv_00' || $2, 'github', 'young', 'push', '{}', '', 'push', 'done', $1::timestamptz`,
      `insert into received_webhook_ids (id, provider, delivery_id, received_at) select 'dlv_00' || $2, 'github', 'young', $1::timestamptz`,
    ])
      await app.test.asOwner(insert, [right, orgId])
  }
  /** Starts a process with a clock of its own, and does every hour what deletes. */
  const openProcess = async (clock: { at: Date }) => {
    let elapsedMs = 0
    const warned: unknown[] = []
    const warn = (text: string) => {
      if (text.startsWith('The clock has jumped ahead')) warned.push(text)
    }
    const log = { ...silentLog, warn }
    const { run } = await startJobs(() => clock.at, { log, elapsed: () => elapsedMs })
    const runAll = async () => {
      for (const queue of ['purge', 'destroyOrganizations', 'forgetOld'])
        await run(`retention.${queue}`)
    }
    return {
      warned,
      runAll,
      async live(hours: number) {
        for (let hour = 0; hour < hours; hour += 1) {
          elapsedMs += hourMs
          clock.at = new Date(clock.at.getTime() + hourMs)
          await runAll()
        }
      },
    }
  }

  it('for less than a day deletes nothing, and says so; one that stands there for a day is believed', async () => {
    await addYoung()
    await believe(right)
    const clock = { at: right }
    const before = await count()
    for (const aheadMs of [1_000, hourMs, dayMs, 36 * dayMs, 3652 * dayMs]) {
      clock.at = new Date(right.getTime() + aheadMs)
      const { runAll, warned } = await openProcess(clock)
      await runAll()
      await runAll()
      expect([aheadMs, await count()]).toEqual([aheadMs, before])
      expect(warned.length > 0).toBe(aheadMs > 2 * hourMs)
    }
    clock.at = new Date(right.getTime() + hourMs)
    const back = await openProcess(clock)
    await back.runAll()
    expect(back.warned).toEqual([])
    clock.at = new Date(right.getTime() + 3652 * dayMs)
    // Restarts do not begin the day anew.
    for (const hours of [12, 11]) await (await openProcess(clock)).live(hours)
    expect(await count()).toEqual(before)
    await (await openProcess(clock)).live(1)
    expect((await count()).filter(([, rows]) => rows === 0).map(([table]) => table)).toEqual(
      tables.filter((table) => table !== 'organizations'),
    )
  })
  it('is believed no sooner by several processes, nor by one whose clock runs too fast or that has slept', async () => {
    await believe(right)
    const ahead = right.getTime() + 3652 * dayMs
    let [at, elapsedMs] = [ahead, 0]
    const deps = { store: app.test.store, log: silentLog, now: () => new Date(at) }
    const nodes = [1, 2, 3, 4].map(() => createBelievedTime({ ...deps, elapsed: () => elapsedMs }))
    const read = async (passedMs: number, clockMs: number) => {
      elapsedMs += passedMs
      at += clockMs
      const moments: number[] = []
      for (const believed of nodes) moments.push((await believed()).getTime())
      return (Math.max(...moments) - right.getTime()) / hourMs
    }
    expect(await read(0, 0)).toBe(0)
    expect(await read(hourMs, hourMs)).toBe(1)
    // The four have read the clock a hundred times as fast.
    expect(await read(hourMs / 4, 25 * hourMs)).toBe(1.25)
    expect(await read(48 * hourMs, 48 * hourMs)).toBe(2.25)
    expect(await read(hourMs, -at + right.getTime())).toBe(0)
  })
})
