import { setTimeout as delay } from 'node:timers/promises'
import { PgBoss, type Db, type JobWithMetadata } from 'pg-boss'
import type { ConnectionTarget } from '../store/connection-target.ts'
import type { StoreLog } from '../store/log.ts'
import { rawQuery } from '../store/raw-query.ts'
import { createRolePool, type RolePool, type SessionLimits } from '../store/role-pool.ts'
import type { Tx } from '../store/store.ts'
import { createErrorLog } from './error-log.ts'
import { freeBlockedKeys } from './free-blocked-keys.ts'
import { installJobs } from './install-jobs.ts'
import { JobFailure, readFailure } from './job-failure.ts'
import { createLatestJobs, type LatestJobs } from './latest-jobs.ts'
import {
  lowPriority,
  type FailedJob,
  type EnqueueOptions,
  type FinishedTry,
  type Job,
  type Jobs,
  type NewJob,
  type WorkOptions,
} from './jobs.ts'
import { jobHeartbeatSeconds, openNodeLife, type NodeLife } from './node-life.ts'
import { createPutBack } from './put-back-moments.ts'
import { deadLetterQueue, type QueueDefinition } from './queue.ts'
import { repeatTasks } from './repeat-tasks.ts'
import { createScheduleWatch } from './schedule-watch.ts'

/** Describes the options of `createJobs`. */
export interface JobsOptions<Name extends string> {
  readonly target: ConnectionTarget
  /** Locates the database for the connections that do jobs. Default: `target`, which also installs the queues. */
  readonly poolTarget?: ConnectionTarget
  readonly queues: readonly QueueDefinition<Name>[]
  readonly log: StoreLog
  /** True when this process works; false when it only enqueues. */
  readonly worker: boolean
  /** Ends the wait for another node that installs queues. */
  readonly signal?: AbortSignal
  /** Called after every try of this process. */
  readonly onTry?: (finished: FinishedTry) => void
  /** True where no other process can use the database. Default false. */
  readonly isAlone?: boolean
  /** The interval of looking for jobs whose worker ended or whose time is over. Default 10. */
  readonly superviseSeconds?: number
}

const doNothing = (): void => undefined
const helperPollFactor = 5
const wakeEveryMs = 50
const freeKeysEveryMs = 5_000
const checkScheduleEveryMs = 5_000
const putBackEveryMs = 60_000

const limits: SessionLimits = {
  statementTimeoutMs: 30_000,
  lockTimeoutMs: 5_000,
  idleInTransactionTimeoutMs: 30_000,
}

function openPool(target: ConnectionTarget, log: StoreLog): RolePool {
  return createRolePool({ target, role: 'signalbox_maintenance', max: 4, limits, log })
}

/** Gives pg-boss our pool: its own would know neither the role nor the time limits. */
function adapterOf(pool: RolePool): Db {
  return {
    async executeSql(text, values) {
      const { client, release, discard } = await pool.acquire()
      try {
        const result = await client.query(text, values)
        release()
        return result
      } catch (error) {
        discard()
        throw error
      }
    },
  }
}

function adapterOfTx(tx: Tx): Db {
  return {
    executeSql: async (text, values) => ({ rows: await rawQuery(tx, text, values) }),
  }
}

/** Sends pg-boss's statements, prepared under a name, together with the next one of the transaction: their rows are not needed. */
function senderOfTx(tx: Tx, name: string): Db {
  return {
    async executeSql(text, values = []) {
      tx.send({ name, text, values })
      return { rows: [] }
    },
  }
}

function toJob(job: JobWithMetadata<unknown>): Job {
  const { id, name: queue, data, retryCount, signal } = job
  return { id, queue, data, attempt: retryCount + 1, signal }
}

function toFailedJob(job: JobWithMetadata<unknown>): FailedJob {
  const { id, data, singletonKey, sourceId, sourceName, sourceRetryCount, sourceOutput } = job
  return {
    id: sourceId ?? id,
    queue: sourceName ?? deadLetterQueue,
    key: singletonKey ?? undefined,
    data,
    attempts: (sourceRetryCount ?? 0) + 1,
    ...readFailure(sourceOutput),
  }
}

function toInserted({ data, key, id }: NewJob) {
  return { data, ...(key !== undefined && { singletonKey: key }), ...(id !== undefined && { id }) }
}

interface Workers {
  readonly boss: PgBoss
  readonly log: StoreLog
  readonly latest: LatestJobs
  readonly onTry: (finished: FinishedTry) => void
  readonly ids: string[]
  readonly worked: Set<string>
}

async function startWorker(
  { boss, log, latest, onTry, ids, worked }: Workers,
  queue: string,
  handler: (job: JobWithMetadata<unknown>) => Promise<void>,
  { concurrency = 2, pollEverySeconds: intervalSeconds = 1 }: WorkOptions = {},
): Promise<void> {
  const handle = async ([job]: JobWithMetadata<unknown>[]) => {
    if (job === undefined) return
    const startedAt = performance.now()
    const end = (outcome: FinishedTry['outcome']) =>
      onTry({ queue, outcome, durationMs: performance.now() - startedAt })
    try {
      await latest.settle(job)
      await handler(job)
      end('done')
    } catch (error) {
      end('failed')
      const reason = error instanceof Error ? error.message : String(error)
      const attempt = job.retryCount + 1
      const message =
        job.retryCount < job.retryLimit ? 'A job failed; it is retried' : 'A job permanently failed'
      log.warn(message, { queue, jobId: job.id, attempt, reason })
      throw new JobFailure(error)
    }
  }
  worked.add(queue)
  for (let count = 0; count < concurrency; count += 1) {
    const options = {
      // The first worker finds what is due. The others poll less often, and help when there is a lot.
      pollingIntervalSeconds: count === 0 ? intervalSeconds : intervalSeconds * helperPollFactor,
      includeMetadata: true,
      heartbeatRefreshSeconds: jobHeartbeatSeconds,
    } as const
    let id = ''
    // Polls again right after a job: a thousand that wait must not take a second each.
    const handleAndGoOn = (batch: JobWithMetadata<unknown>[]) =>
      handle(batch).finally(() => boss.notifyWorker(id))
    id = await boss.work<unknown, void, typeof options>(queue, options, handleAndGoOn)
    ids.push(id)
  }
}

/**
 * Stops once the workers have done the jobs that they have in hand, after `timeoutMs` at the latest. pg-boss itself looks
 * every half second whether they have, and for the first time after half a second.
 */
async function stopWorkers({ boss, worked }: Workers, timeoutMs: number): Promise<void> {
  const ended = new AbortController()
  const limit = delay(timeoutMs, undefined, { signal: ended.signal }).catch(() => undefined)
  await Promise.race([Promise.all([...worked].map((queue) => boss.offWork(queue))), limit])
  ended.abort()
  // Jobs that are still in hand have had their time.
  await boss.stop({ graceful: false, close: false })
}

function createEnqueue<Name extends string>(
  boss: PgBoss,
  latest: LatestJobs,
): Pick<Jobs<Name>, 'enqueue' | 'enqueueAll'> {
  return {
    async enqueue(tx: Tx, queue: Name, data: object, { key, startAfter }: EnqueueOptions = {}) {
      latest.hold(tx, queue, [{ key }])
      await boss.send(queue, data, {
        db: adapterOfTx(tx),
        ...(key === undefined ? {} : { singletonKey: key }),
        ...(startAfter === undefined ? {} : { startAfter }),
      })
      if (startAfter === undefined) tx.announce('jobs')
    },
    async enqueueAll(tx, queue, added) {
      if (added.length === 0) return
      latest.hold(tx, queue, added)
      const sender = senderOfTx(tx, `enqueue-all ${queue}`)
      await boss.insert(queue, added.map(toInserted), { db: sender, returnId: false })
      tx.announce('jobs')
    },
  }
}

/**
 * Installs the queues and connects to them. pg-boss lives behind this function alone. Where a step fails nothing stays open: a
 * timer or a connection would keep a process alive that has failed to start.
 *
 * @throws {Error} when the database cannot be reached.
 */
export async function createJobs<Name extends string>(
  options: JobsOptions<Name>,
): Promise<Jobs<Name>> {
  const { target, queues, log, signal } = options
  await installJobs(target, queues, { log, signal })
  const pool = openPool(options.poolTarget ?? target, log)
  try {
    return await connectJobs(options, pool)
  } catch (error) {
    await pool.close()
    throw error
  }
}

async function connectJobs<Name extends string>(
  options: JobsOptions<Name>,
  pool: RolePool,
): Promise<Jobs<Name>> {
  const { queues, log, worker, isAlone = false, superviseSeconds = 10 } = options
  const db = adapterOf(pool)
  const onError = createErrorLog(log)
  const putBack = createPutBack(db, log)
  await putBack('all')
  const boss = new PgBoss({
    db,
    migrate: false,
    supervise: worker,
    schedule: worker,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    // Rebuilding indexes needs the owner.
    reindex: false,
  })
  const latest = createLatestJobs(queues, db)
  const { onTry = doNothing } = options
  const workers: Workers = { boss, log, latest, onTry, ids: [], worked: new Set() }
  const waking = throttleWaking(() => workers.ids.forEach((id) => boss.notifyWorker(id)))
  const onSteppedBack = () => putBack('all').then(waking.wake)
  // Before pg-boss looks for jobs: both change many rows, and would wait for each other.
  const life = await openNodeLife({ db, isAlone, onFreed: waking.wake, onSteppedBack, onError })
  await startBoss(boss.on('error', onError), life)
  const schedules = createScheduleWatch(db)
  const ordered = queues.filter(({ order }) => worker && order === 'perKey').map(({ name }) => name)
  const stopTasks = repeatTasks(
    [
      { everyMs: checkScheduleEveryMs, work: () => schedules.check() },
      { everyMs: putBackEveryMs, work: () => putBack('urgent') },
      { everyMs: freeKeysEveryMs, work: () => freeBlockedKeys(boss, ordered) },
    ],
    onError,
  )
  return {
    nodeId: life.id,
    ...createEnqueue(boss, latest),
    work: (queue, handler, workOptions) =>
      startWorker(workers, queue, (job) => handler(toJob(job)), workOptions),
    workFailed: (handler) =>
      startWorker(workers, deadLetterQueue, (job) => handler(toFailedJob(job)), lowPriority),
    schedule: (queue, cron) => boss.schedule(queue, cron),
    wake: waking.wake,
    scheduledAgeSeconds: () => schedules.ageSeconds(),
    writtenAgeSeconds: () => life.beatAgeSeconds(),
    async close(timeoutMs = 8_000) {
      waking.stop()
      await stopTasks()
      await stopWorkers(workers, timeoutMs)
      // After the jobs: until then this node holds leases.
      await life.close()
      await pool.close()
    },
  }
}

/** Starts pg-boss, or ends the life of the node. */
async function startBoss(boss: PgBoss, life: NodeLife): Promise<void> {
  try {
    await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false, close: false })
    await life.close()
    throw error
  }
}

/** Wakes the workers immediately, and then once in `wakeEveryMs` at most: each time every worker polls. */
function throttleWaking(wakeAll: () => void): {
  readonly wake: () => void
  readonly stop: () => void
} {
  let wokenAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  const wakeNow = () => {
    timer = undefined
    wokenAt = performance.now()
    wakeAll()
  }
  return {
    wake() {
      const waitMs = wokenAt + wakeEveryMs - performance.now()
      if (waitMs <= 0) wakeNow()
      else timer ??= setTimeout(wakeNow, waitMs)
    },
    stop: () => clearTimeout(timer),
  }
}
