import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { createJobs } from '../../../packages/server/src/jobs/create-jobs.ts'
import { openTestStore } from '../../../packages/server/src/store/testing/test-database.ts'
import { silentLog } from '../../../packages/server/src/telemetry/log.ts'
import { patientQueue, poisonQueue, type PoisonKind } from './poison-queue.ts'

const entry = join(import.meta.dirname, 'poison-worker.ts')

/** A worker that is started again whenever it dies, as a supervisor of services does, and what it was seen to do. */
export interface PoisonWorld {
  readonly databaseUrl: string
  /** Kind -> how often it was tried. */
  readonly tries: ReadonlyMap<string, number>
  /** Lists how long each job that ends waited, without the time in which there was no worker. */
  readonly delaysMs: readonly number[]
  /** The same with that time. */
  readonly wholeDelaysMs: readonly number[]
  readonly starts: number
  /** Everything that was logged. */
  log(): string
  add(kind: PoisonKind, orgId: string): Promise<void>
  /** Adds jobs that end until the answer is called, and waits for the last of them. */
  keepAdding(orgId: string): () => Promise<void>
  /** Goes on with a worker in which nothing is wrong any more. */
  mend(): Promise<void>
  asOwner<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

const betweenMs = 100

export async function openPoisonWorld({
  places,
  patient = false,
}: {
  readonly places: number
  /** Says whether an attempt may take as long as in the product. */
  readonly patient?: boolean
}): Promise<PoisonWorld> {
  const queue = patient ? patientQueue : poisonQueue
  const test = await openTestStore()
  const { store, databaseUrl } = test
  const queues = [poisonQueue, patientQueue]
  const jobs = await createJobs({ target: store.target, queues, log: silentLog, worker: false })
  const tries = new Map<string, number>()
  const waiting = new Map<number, { readonly at: number; readonly downMs: number }>()
  const delaysMs: number[] = []
  const wholeDelaysMs: number[] = []
  let printed = ''
  let [starts, added] = [0, 0]
  const closing = new AbortController()
  let options: string[] = []
  let worker: ChildProcess | undefined
  const down = { sinceMs: performance.now() as number | undefined, sumMs: 0 }
  const downMs = () =>
    down.sumMs + (down.sinceMs === undefined ? 0 : performance.now() - down.sinceMs)

  const hear = (line: string) => {
    printed += `${line}\n`
    if (line === 'ready') {
      down.sumMs = downMs()
      down.sinceMs = undefined
    }
    const [, kind, n] = /^try (\w+) (\d+)$/.exec(line) ?? []
    if (kind === undefined) return
    tries.set(kind, (tries.get(kind) ?? 0) + 1)
    const job = waiting.get(Number(n))
    if (kind !== 'ends' || job === undefined) return
    waiting.delete(Number(n))
    const wholeMs = performance.now() - job.at
    wholeDelaysMs.push(wholeMs)
    delaysMs.push(wholeMs - (downMs() - job.downMs))
  }
  const keepRunning = async () => {
    while (!closing.signal.aborted) {
      starts += 1
      const given = [databaseUrl, queue.name, String(places), ...options]
      worker = spawn(process.execPath, ['--conditions=@signalbox/source', entry, ...given], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      if (worker.stdout) createInterface({ input: worker.stdout }).on('line', hear)
      await once(worker, 'exit')
      down.sinceMs = performance.now()
      // Shortened: who is silent for twenty seconds is dead. There is no other worker whose jobs these could be.
      await test.asOwner(
        `update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`,
      )
    }
  }
  const running = keepRunning()
  const add = async (kind: PoisonKind, orgId: string) => {
    const n = (added += 1)
    if (kind === 'ends') waiting.set(n, { at: performance.now(), downMs: downMs() })
    await store.transaction({ orgId: null }, (tx) =>
      jobs.enqueue(tx, queue.name, { orgId, kind, n }),
    )
  }
  const stopWorker = async () => {
    worker?.kill('SIGKILL')
    if (worker?.exitCode === null && worker.signalCode === null) await once(worker, 'exit')
  }
  return {
    databaseUrl,
    tries,
    delaysMs,
    wholeDelaysMs,
    get starts() {
      return starts
    },
    log: () => printed,
    add,
    keepAdding(orgId) {
      const stop = new AbortController()
      const { signal } = stop
      const work = async () => {
        while (!signal.aborted) {
          await add('ends', orgId)
          await delay(betweenMs, undefined, { signal }).catch(() => undefined)
        }
      }
      const adding = work()
      return async () => {
        stop.abort()
        await adding
        while (waiting.size > 0 && !closing.signal.aborted) await delay(50)
      }
    },
    async mend() {
      options = ['mended']
      await stopWorker()
    },
    asOwner: (sql, values) => test.asOwner(sql, values),
    async close() {
      closing.abort()
      await stopWorker()
      await running
      await jobs.close(1_000)
      await test.close()
    },
  }
}
