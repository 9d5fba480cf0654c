import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../store/log.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { createJobs } from './create-jobs.ts'
import type { Jobs } from './jobs.ts'

/** The delays of the product: with them alone a job whose process ended waits for a minute. */
const queues = [{ name: 'abandoned' }, { name: 'running' }] as const

let test: TestStore
const open: Jobs<string>[] = []

beforeAll(async () => {
  test = await openTestStore()
})
afterEach(async () => {
  for (const jobs of open.splice(0)) await jobs.close(1_000)
  await test.asOwner('delete from nodes')
  await test.asOwner('delete from pgboss.job')
})
afterAll(() => test.close())

async function start(isAlone = false): Promise<Jobs<string>> {
  const { target } = test.store
  const jobs = await createJobs({
    target,
    poolTarget: test.store.poolTarget('signalbox_maintenance'),
    queues,
    log: silentLog,
    worker: true,
    isAlone,
  })
  open.push(jobs)
  return jobs
}

const add = (jobs: Jobs<string>, queue: string) =>
  test.store.transaction({ orgId: null }, (tx) => jobs.enqueue(tx, queue, {}))

/** Leaves a job as a process leaves it that was killed `seconds` ago. */
async function abandonJob(jobs: Jobs<string>, seconds: number): Promise<void> {
  await add(jobs, 'abandoned')
  await test.asOwner(
    `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - make_interval(secs => $1)
      where name = 'abandoned'`,
    [seconds],
  )
  await test.asOwner(
    `insert into nodes (id, seen_at) values ('killed', now() - make_interval(secs => $1))`,
    [seconds],
  )
}

const attemptsOf = async (jobs: Jobs<string>, queue: string) => {
  const attempts: number[] = []
  await jobs.work(queue, async ({ attempt }) => void attempts.push(attempt))
  return attempts
}

const listNodes = async () =>
  (await test.asOwner<{ id: string }>('select id from nodes')).map(({ id }) => id)

describe('a job whose node was killed', () => {
  it('is done by another node some seconds later, and no job of a node that lives is', async () => {
    const first = await start()
    const gate = Promise.withResolvers<void>()
    let runs = 0
    await first.work('running', () => {
      runs += 1
      return gate.promise
    })
    await add(first, 'running')
    await expect.poll(() => runs).toBe(1)
    await abandonJob(first, 2)
    const second = await start()
    const attempts = await attemptsOf(second, 'abandoned')
    const repeats = await attemptsOf(second, 'running')
    await expect.poll(() => attempts, { timeout: 15_000 }).toEqual([2])
    expect(await listNodes()).toHaveLength(2)
    gate.resolve()
    expect([runs, repeats]).toEqual([1, []])
  })

  it('is done at the start of a node that has the database for itself', async () => {
    await abandonJob(await start(), 0)
    await open.splice(0)[0]?.close(0)
    const jobs = await start(true)
    const attempts = await attemptsOf(jobs, 'abandoned')
    await expect.poll(() => attempts).toEqual([2])
    expect(await listNodes()).toEqual([jobs.nodeId])
  })

  it('is left to the dead letters at its last try', async () => {
    const jobs = await start()
    await abandonJob(jobs, 10)
    await test.asOwner(`update pgboss.job set retry_count = retry_limit where name = 'abandoned'`)
    await start(true)
    const states = await test.asOwner(`select state from pgboss.job where name = 'abandoned'`)
    expect(states).toEqual([{ state: 'active' }])
  })
})

describe('a node', () => {
  it('that stops is known to have ended at once', async () => {
    const jobs = await start()
    const hasEnded = () =>
      test.asOwner('select node_has_ended($1) as ended, node_has_ended(null) as unknown', [
        jobs.nodeId,
      ])
    expect(await hasEnded()).toEqual([{ ended: false, unknown: false }])
    await open.splice(0)[0]?.close()
    expect(await hasEnded()).toEqual([{ ended: true, unknown: false }])
  })
})
