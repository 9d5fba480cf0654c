import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../store/log.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { createJobs } from './create-jobs.ts'
import type { EnqueueOptions, Job, Jobs } from './jobs.ts'
import { deadLetterQueue } from './queue.ts'

const queues = [
  { name: 'plain', retries: 2, retryDelaySeconds: 1 },
  { name: 'ordered', order: 'perKey', retries: 1, retryDelaySeconds: 1 },
  { name: 'latest', order: 'latest' },
  { name: 'hopeless', retries: 0 },
  { name: 'orderedHopeless', order: 'perKey', retries: 0 },
  { name: 'nightly' },
] as const

let test: TestStore
const open: Jobs<string>[] = []

beforeAll(async () => {
  test = await openTestStore()
})
afterEach(async () => {
  for (const jobs of open.splice(0)) await jobs.close(1_000)
})
afterAll(() => test.close())

async function start(overrides: { readonly worker?: boolean } = {}) {
  const { target } = test.store
  const jobs = await createJobs({
    target,
    poolTarget: test.store.poolTarget('signalbox_maintenance'),
    queues,
    log: silentLog,
    worker: true,
    ...overrides,
  })
  open.push(jobs)
  return jobs
}

function enqueue(jobs: Jobs<string>, queue: string, data: object, key?: string): Promise<void> {
  return test.store.transaction({ orgId: null }, (tx) =>
    jobs.enqueue(tx, queue, data, key === undefined ? {} : { key }),
  )
}

const numberOf = (job: Job) => (job.data as { readonly n: number }).n

describe('enqueue', () => {
  it('adds a job with the change that asks for it', async () => {
    const jobs = await start()
    const done: unknown[] = []
    await jobs.work('plain', async (job) => void done.push(job.data))
    await enqueue(jobs, 'plain', { text: "it's", deep: [1, { two: 2 }] })
    await expect.poll(() => done).toEqual([{ text: "it's", deep: [1, { two: 2 }] }])
  })

  it('adds none when the transaction is rolled back', async () => {
    const jobs = await start({ worker: false })
    const failing = test.store.transaction({ orgId: null }, async (tx) => {
      await jobs.enqueue(tx, 'plain', { n: 1 })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(
      await test.asOwner(`select from pgboss.job where name = 'plain' and state = 'created'`),
    ).toEqual([])
  })

  it('is announced with the commit, for later work as soon as its time has come', async () => {
    const jobs = await start()
    const announced: string[] = []
    const add = (n: number, options: EnqueueOptions) =>
      test.store.transaction({ orgId: null }, async (tx) => {
        const announcing = { ...tx, announce: (topic: string) => void announced.push(topic) }
        await jobs.enqueue(announcing, 'plain', { n }, options)
      })
    await add(1, { startAfter: new Date(Date.now() + 60_000) })
    expect(announced).toEqual([])
    await add(2, {})
    expect(announced).toEqual(['jobs'])
  })

  it('lets a request add jobs and read none of others', async () => {
    const read = test.store.transaction({ orgId: null }, (tx) =>
      tx.query({ name: 'peek', text: 'select data from pgboss.job', values: [] }),
    )
    await expect(read).rejects.toMatchObject({ code: '42501' })
  })

  it('is followed by the work on everything that waits, without a second between two', async () => {
    const jobs = await start()
    const added = Array.from({ length: 100 }, (_, n) => ({ data: { n } }))
    await test.store.transaction({ orgId: null }, (tx) => jobs.enqueueAll(tx, 'plain', added))
    const done = new Set<number>()
    await jobs.work('plain', async (job) => void done.add(numberOf(job)))
    await expect.poll(() => done.size, { timeout: 20_000 }).toBe(added.length)
  })

  it('says nothing more while a job of the key waits in a queue of the latest', async () => {
    const jobs = await start({ worker: false })
    for (const n of [1, 2, 3]) await enqueue(jobs, 'latest', { n }, 'a')
    await enqueue(jobs, 'latest', { n: 4 }, 'b')
    expect(await test.asOwner(`select from pgboss.job where name = 'latest'`)).toHaveLength(2)
    await test.asOwner(`delete from pgboss.job where name = 'latest'`)
  })

  it.each(['enqueue', 'enqueueAll'] as const)(
    'of %s has the job that waits see a change that is committed after that job was taken',
    async (way) => {
      const jobs = await start()
      await test.asOwner(`create table if not exists seen (n integer)`)
      await test.asOwner(`truncate seen; grant insert on seen to signalbox_app`)
      await enqueue(jobs, 'latest', {}, 'a')
      const counts: unknown[] = []
      await test.store.transaction({ orgId: null }, async (tx) => {
        await tx.query({ name: 'change', text: 'insert into seen values (1)', values: [] })
        if (way === 'enqueue') await jobs.enqueue(tx, 'latest', {}, { key: 'a' })
        else await jobs.enqueueAll(tx, 'latest', [{ data: {}, key: 'a' }])
        await tx.query({ name: 'flush', text: 'select 1', values: [] })
        await jobs.work('latest', async () => {
          counts.push((await test.asOwner('select from seen')).length)
        })
        await expect
          .poll(() =>
            test.asOwner(`select from pgboss.job where name = 'latest' and state = 'active'`),
          )
          .toHaveLength(1)
        // The job is done immediately, unless it waits for this transaction.
        await test.asOwner(`select pg_sleep(0.3)`)
      })
      await expect.poll(() => counts).toEqual([1])
    },
  )
})

describe('work', () => {
  it('tries a failed job again and counts the tries', async () => {
    const jobs = await start()
    const attempts: number[] = []
    await jobs.work('plain', async ({ attempt }) => {
      attempts.push(attempt)
      if (attempt < 2) throw new Error('not yet')
    })
    await enqueue(jobs, 'plain', {})
    await expect.poll(() => attempts, { timeout: 10_000 }).toEqual([1, 2])
  })

  it('copies a job that failed for good into the dead letter queue', async () => {
    const jobs = await start()
    await jobs.work('hopeless', () => Promise.reject(new Error('never')))
    await enqueue(jobs, 'hopeless', { n: 7 })
    await expect
      .poll(() => test.asOwner(`select data from pgboss.job where name = '${deadLetterQueue}'`), {
        timeout: 5_000,
      })
      .toEqual([{ data: { n: 7 } }])
  })

  it('does the jobs of a key in order and one at a time, also across a failure', async () => {
    const jobs = await start()
    const done: number[] = []
    let failed = false
    let running = 0
    let runningMax = 0
    const handle = async (job: Job) => {
      running += 1
      runningMax = Math.max(runningMax, running)
      try {
        await new Promise((resolve) => setImmediate(resolve))
        if (numberOf(job) === 2 && !failed) {
          failed = true
          throw new Error('once')
        }
        done.push(numberOf(job))
      } finally {
        running -= 1
      }
    }
    await jobs.work('ordered', handle, { concurrency: 4 })
    for (const n of [1, 2, 3, 4]) await enqueue(jobs, 'ordered', { n }, 'dep_1')
    await expect.poll(() => done, { timeout: 20_000 }).toEqual([1, 2, 3, 4])
    expect(runningMax).toBe(1)
  })

  it('goes on with a key after one of its jobs failed for good', async () => {
    const jobs = await start()
    const done: number[] = []
    await jobs.work('orderedHopeless', async (job) => {
      if (numberOf(job) === 1) throw new Error('never')
      done.push(numberOf(job))
    })
    for (const n of [1, 2]) await enqueue(jobs, 'orderedHopeless', { n }, 'dep_1')
    await expect.poll(() => done, { timeout: 15_000 }).toEqual([2])
  })

  it('outlives the loss of every connection and does what was enqueued', async () => {
    const jobs = await start()
    const done: number[] = []
    await jobs.work('plain', async (job) => void done.push(numberOf(job)))
    await test.asOwner(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await expect
      .poll(() =>
        enqueue(jobs, 'plain', { n: 1 }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect.poll(() => done.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(1)
  })

  it('ends running jobs before it closes', async () => {
    const jobs = await start()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    let ended = false
    await jobs.work('plain', async () => {
      begin()
      await new Promise((resolve) => setTimeout(resolve, 300))
      ended = true
    })
    await enqueue(jobs, 'plain', {})
    await begun
    await jobs.close(5_000)
    expect(ended).toBe(true)
  })
})

describe('schedule', () => {
  it('stores a schedule once for all nodes', async () => {
    const [first, second] = [await start(), await start()]
    await first.schedule('nightly', '0 3 * * *')
    await second.schedule('nightly', '0 3 * * *')
    expect(await test.asOwner('select name, cron from pgboss.schedule')).toEqual([
      { name: 'nightly', cron: '0 3 * * *' },
    ])
  })
})

describe('a start that fails half-way', () => {
  it('leaves no connection and no timer, so that its process ends', async () => {
    const connections = async () =>
      (
        await test.asOwner<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'signalbox_maintenance'`,
        )
      )[0]?.count ?? 0
    const before = await connections()
    await test.asOwner('revoke insert on nodes from signalbox_maintenance')
    try {
      await expect(start()).rejects.toThrow('permission denied')
      // One that was there before may end meanwhile.
      await expect.poll(connections).toBeLessThanOrEqual(before)
    } finally {
      await test.asOwner('grant insert on nodes to signalbox_maintenance')
    }
  })
})
