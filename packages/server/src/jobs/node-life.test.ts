import { describe, it } from 'vitest'
import { silentLog } from '../store/log.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { createJobs } from './create-jobs.ts'
import type { Jobs } from './jobs.ts'
import { openNodeLife } from './node-life.ts'
import { createPutBack } from './put-back-moments.ts'

/** The delays of the product: with them alone a job whose process ended waits for a minute. */
const queues = [
  { name: 'abandoned' },
  { name: 'running' },
  { name: 'ordered', order: 'perKey' },
] as const

interface World {
  readonly test: TestStore
  /** Starts a node. */
  readonly start: (isAlone?: boolean) => Promise<Jobs<string>>
  readonly add: (jobs: Jobs<string>, queue: string) => Promise<void>
  /** Leaves a job as a process leaves it that was killed `seconds` ago. */
  readonly abandonJob: (jobs: Jobs<string>, seconds: number) => Promise<void>
  readonly listNodes: () => Promise<readonly string[]>
}

/** Opens a database for a test alone: each waits for seconds of the product, so that all of them wait side by side. */
async function openWorld(onTestFinished: (close: () => Promise<void>) => void): Promise<World> {
  const test = await openTestStore()
  const open: Jobs<string>[] = []
  onTestFinished(async () => {
    for (const jobs of open) await jobs.close(1_000)
    await test.close()
  })
  const add = (jobs: Jobs<string>, queue: string) =>
    test.store.transaction({ orgId: null }, (tx) => jobs.enqueue(tx, queue, {}))
  return {
    test,
    add,
    async start(isAlone = false) {
      const { target } = test.store
      const poolTarget = test.store.poolTarget('signalbox_maintenance')
      const of = { target, poolTarget, queues, log: silentLog, worker: true, isAlone }
      const jobs = await createJobs(of)
      let closed: Promise<void> | undefined
      const node = { ...jobs, close: (ms?: number) => (closed ??= jobs.close(ms)) }
      open.push(node)
      return node
    },
    async abandonJob(jobs, seconds) {
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
    },
    listNodes: async () =>
      (await test.asOwner<{ id: string }>('select id from nodes')).map(({ id }) => id),
  }
}

const attemptsOf = async (jobs: Jobs<string>, queue: string) => {
  const attempts: number[] = []
  await jobs.work(queue, async ({ attempt }) => void attempts.push(attempt))
  return attempts
}

describe.concurrent('a job whose node was killed', () => {
  it('is done by another node some seconds later, and no job of a node that lives is', async ({
    expect,
    onTestFinished,
  }) => {
    const { start, add, abandonJob, listNodes } = await openWorld(onTestFinished)
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

  it('is done at the start of a node that has the database for itself', async ({
    expect,
    onTestFinished,
  }) => {
    const { start, abandonJob, listNodes } = await openWorld(onTestFinished)
    const killed = await start()
    await abandonJob(killed, 0)
    await killed.close(0)
    const jobs = await start(true)
    const attempts = await attemptsOf(jobs, 'abandoned')
    await expect.poll(() => attempts).toEqual([2])
    expect(await listNodes()).toEqual([jobs.nodeId])
  })

  it('is tried again at another moment than the job that ended with it, which may be the one to blame', async ({
    expect,
    onTestFinished,
  }) => {
    const { test, start, add, abandonJob } = await openWorld(onTestFinished)
    const killed = await start()
    await add(killed, 'abandoned')
    await abandonJob(killed, 0)
    await test.asOwner(`update pgboss.job set retry_count = 3 where name = 'abandoned'`)
    await killed.close(0)
    await start(true)
    const jobs = await test.asOwner<{ start_after: Date }>(
      `select start_after from pgboss.job where name = 'abandoned' and state = 'retry'`,
    )
    expect(new Set(jobs.map((job) => job.start_after.getTime())).size).toBe(2)
  })

  it('is left to the dead letters at its last try', async ({ expect, onTestFinished }) => {
    const { test, start, abandonJob } = await openWorld(onTestFinished)
    const jobs = await start()
    await abandonJob(jobs, 10)
    await test.asOwner(`update pgboss.job set retry_count = retry_limit where name = 'abandoned'`)
    await start(true)
    const states = await test.asOwner(`select state from pgboss.job where name = 'abandoned'`)
    expect(states).toEqual([{ state: 'active' }])
  })
})

describe.concurrent('a node', () => {
  it('that stops is known to have ended at once', async ({ expect, onTestFinished }) => {
    const { test, start } = await openWorld(onTestFinished)
    const jobs = await start()
    const hasEnded = () =>
      test.asOwner('select node_has_ended($1) as ended, node_has_ended(null) as unknown', [
        jobs.nodeId,
      ])
    expect(await hasEnded()).toEqual([{ ended: false, unknown: false }])
    await jobs.close()
    expect(await hasEnded()).toEqual([{ ended: true, unknown: false }])
  })

  it('tells for how long the database has finished no write', async ({
    expect,
    onTestFinished,
  }) => {
    const { test, start } = await openWorld(onTestFinished)
    const jobs = await start()
    const held = test.asOwner(
      'do $$ begin lock table nodes in access exclusive mode; perform pg_sleep(3); end $$',
    )
    const age = () => jobs.writtenAgeSeconds()
    await expect.poll(age, { timeout: 15_000 }).toBeGreaterThan(1)
    await held
    await expect.poll(age, { timeout: 15_000 }).toBeLessThan(2)
  })
})

describe.concurrent('a clock that was ahead', () => {
  /** Writes every moment of the queues and nodes as a clock does that is so far ahead, and lets it step back. */
  const stepBack = async (test: TestStore, seconds: number) => {
    const moved = (columns: string) =>
      columns
        .split(' ')
        .map((column) => `${column} = ${column} + make_interval(secs => ${seconds})`)
        .join(', ')
    const times =
      'start_after keep_until created_on started_on heartbeat_on completed_on singleton_on'
    // A beat that has begun would answer by what it read before the step, which no clock does.
    await test.asOwner(`begin; lock table nodes in access exclusive mode;
      update pgboss.version set ${moved('cron_on flow_on bam_on')};
      update pgboss.queue set ${moved('maintain_on monitor_on monitor_claim_on')};
      update pgboss.job set ${moved(times)};
      update nodes set ${moved('seen_at')};
      commit`)
  }
  const aheadSql = `select 'claim' as what from pgboss.version where greatest(cron_on, flow_on, bam_on) > now()
    union all select 'queue ' || name from pgboss.queue where greatest(maintain_on, monitor_on, monitor_claim_on) > now()
    union all select 'node ' || id from nodes where seen_at > clock_timestamp()
    union all select 'job ' || name || ' ' || state from pgboss.job
      where greatest(created_on, started_on, heartbeat_on, completed_on, singleton_on at time zone 'UTC') > now()
        or (state < 'active' and start_after > now())`

  const cases = [
    { seconds: 3_600, when: 'while a node runs' },
    { seconds: 3_652 * 86_400, when: 'while a node runs' },
    { seconds: 86_400, when: 'at the start of a node' },
    { seconds: 3_652 * 86_400, when: 'at the start of a node' },
  ]
  it.for(cases)(
    'by $seconds s keeps no work waiting or out of order, and none in the hands of a node that was killed: $when',
    async ({ seconds, when }, { expect, onTestFinished }) => {
      const { test, start, abandonJob, listNodes } = await openWorld(onTestFinished)
      let jobs = await start()
      const addOrdered = async (key: string, number: number) =>
        test.store.transaction({ orgId: null }, (tx) =>
          jobs.enqueue(tx, 'ordered', { is: `${key}${number}` }, { key }),
        )
      for (const number of [1, 2, 3]) for (const key of ['a', 'b']) await addOrdered(key, number)
      await abandonJob(jobs, 60)
      await test.asOwner(`insert into pgboss.job (name, state, completed_on, singleton_on)
        values ('running', 'completed', now(), now() at time zone 'UTC')`)
      if (when === 'while a node runs') await stepBack(test, seconds)
      else {
        await jobs.close()
        await stepBack(test, seconds)
        jobs = await start()
      }
      for (const key of ['a', 'b']) await addOrdered(key, 4)
      await expect.poll(() => test.asOwner(aheadSql), { timeout: 15_000 }).toEqual([])
      const done: string[] = []
      await jobs.work('ordered', async ({ data }) => void done.push(String(Object(data).is)))
      const attempts = await attemptsOf(jobs, 'abandoned')
      await expect.poll(() => done.length, { timeout: 15_000 }).toBe(8)
      for (const key of ['a', 'b'])
        expect(done.filter((each) => each.startsWith(key))).toEqual(
          [1, 2, 3, 4].map((number) => `${key}${number}`),
        )
      await expect.poll(() => attempts, { timeout: 15_000 }).toEqual([2])
      await expect.poll(listNodes, { timeout: 15_000 }).toEqual([jobs.nodeId])
    },
  )

  it('is seen by a node, whatever is put back every minute, and until all could be put back', async ({
    expect,
    onTestFinished,
  }) => {
    const { test, start } = await openWorld(onTestFinished)
    // Makes the queues.
    await (await start()).close()
    const db = {
      executeSql: async (text: string, values?: unknown[]) => ({
        rows: await test.asOwner(text, values),
      }),
    }
    const putBack = createPutBack(db, silentLog)
    let failures = 2
    const life = await openNodeLife({
      db,
      isAlone: false,
      onFreed: () => undefined,
      onSteppedBack: async () => {
        if (failures-- > 0) throw new Error('The database is busy')
        await putBack('all')
      },
      onError: () => undefined,
    })
    await test.asOwner(`insert into pgboss.job (name, state, completed_on)
      values ('running', 'completed', now() + interval '1 hour')`)
    await test.asOwner(`update nodes set seen_at = seen_at + interval '1 hour'`)
    await putBack('urgent')
    await expect.poll(() => test.asOwner(aheadSql), { timeout: 15_000 }).toEqual([])
    expect(failures).toBe(-1)
    await life.close()
  })

  it.sequential('ends no node that lives when it jumps ahead, and gives nobody its jobs', async ({
    expect,
    onTestFinished,
  }) => {
    const { test, start, add, listNodes } = await openWorld(onTestFinished)
    const first = await start()
    const second = await start()
    let runs = 0
    const gate = Promise.withResolvers<void>()
    await first.work('running', () => {
      runs += 1
      return gate.promise
    })
    await add(first, 'running')
    await expect.poll(() => runs).toBe(1)
    const repeats = await attemptsOf(second, 'running')
    // Both have seen the database answer for longer than a life without a beat.
    const begun = performance.now()
    await expect.poll(() => performance.now() - begun, { timeout: 20_000 }).toBeGreaterThan(6_000)
    // Not while the nodes have yet to notice the jump, for up to a second: pg-boss would give the job away. A look under way ends first.
    const lookAfter = (moment: string) =>
      test.asOwner(`update pgboss.queue set monitor_claim_on = now() + interval '${moment}'`)
    await lookAfter('2 hours')
    const held = performance.now()
    await expect.poll(() => performance.now() - held, { timeout: 10_000 }).toBeGreaterThan(3_000)
    const jumped = performance.now()
    await stepBack(test, -3_600)
    const fresh = `select from nodes where seen_at > now() - interval '3 seconds'
      union all select from pgboss.job where state = 'active' and heartbeat_on > now() - interval '3 seconds'`
    await expect.poll(() => test.asOwner(fresh), { timeout: 15_000 }).toHaveLength(3)
    await lookAfter('-1 hour')
    await expect.poll(() => performance.now() - jumped, { timeout: 30_000 }).toBeGreaterThan(13_000)
    // It would be given away after the pause of a failed job.
    const inHand = `select from pgboss.job where name = 'running' and state = 'active'`
    expect(await test.asOwner(inHand)).toHaveLength(1)
    gate.resolve()
    expect([runs, repeats, (await listNodes()).length]).toEqual([1, [], 2])
  })
})
