import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createJobs } from '../../packages/server/src/jobs/create-jobs.ts'
import { silentLog } from '../../packages/server/src/store/log.ts'
import { openTestStore } from '../../packages/server/src/store/testing/test-database.ts'
import { until } from '../testing/proof-service.ts'

const worker = join(import.meta.dirname, '../testing/poison-worker.ts')
const betweenMs = 100
const patienceMs = 240_000

type World = Awaited<ReturnType<typeof openWorld>>
let world: World | undefined
afterEach(() => world?.close())

/** Opens a queue with one job that ends its process, others that are added all the time, and a worker that is started again whenever it dies. */
async function openWorld(retries: number) {
  const test = await openTestStore()
  const queue = { name: 'shop.bake', retries, retryDelaySeconds: 1, retryDelayMaxSeconds: 1 }
  const jobs = await createJobs({
    target: test.store.target,
    queues: [queue],
    log: silentLog,
    worker: false,
  })
  const closing = new AbortController()
  const { signal } = closing
  const seen = { starts: 0, tries: 0, failed: [] as string[], addedIn: new Map<string, number>() }
  /** Counts for each of the others the processes that ended before it was done. */
  const outlived: number[] = []
  let child: ChildProcess | undefined

  const hear = (line: string) => {
    const [what = '', n = '', ...rest] = line.split(' ')
    if (what === 'try' && n === '0') seen.tries += 1
    if (what === 'failed') seen.failed.push([n, ...rest].join(' '))
    const addedIn = seen.addedIn.get(n)
    if (what !== 'done' || addedIn === undefined) return
    seen.addedIn.delete(n)
    outlived.push(seen.starts - addedIn)
  }
  const keepRunning = async () => {
    while (!signal.aborted) {
      seen.starts += 1
      const given = ['--conditions=@signalbox/source', worker, test.databaseUrl]
      child = spawn(process.execPath, [...given, JSON.stringify(queue)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      if (child.stdout) createInterface({ input: child.stdout }).on('line', hear)
      await once(child, 'exit')
    }
  }
  const add = (data: object) =>
    test.store.transaction({ orgId: null }, (tx) => jobs.enqueue(tx, queue.name, data))
  const keepAdding = async () => {
    for (let n = 1; !signal.aborted; n += 1) {
      seen.addedIn.set(String(n), seen.starts)
      await add({ n })
      await delay(betweenMs, undefined, { signal }).catch(() => undefined)
    }
  }
  await add({ n: 0, isPoison: true })
  const working = Promise.all([keepRunning(), keepAdding()])
  return {
    seen,
    outlived,
    async close() {
      closing.abort()
      child?.kill('SIGKILL')
      await working
      await jobs.close(1_000)
      await test.close()
    },
  }
}

describe('a job that ends its process (R19)', () => {
  it('is given up after its tries as one whose process ended, and the others are done between them', async () => {
    world = await openWorld(4)
    const { seen, outlived } = world
    await until(() => seen.failed.length > 0, 'its end', patienceMs)
    const { size } = seen.addedIn
    const before = outlived.length
    await until(() => outlived.length > before + size, 'the last of the others')
    console.log(
      `poison: ${seen.tries} tries in ${seen.starts} processes, ${outlived.length} others, ` +
        `done after ${Math.max(...outlived)} ends of a process at most`,
    )
    expect(seen.failed).toEqual(['0 process_ended 5'])
    expect(seen.tries).toBe(5)
    expect(seen.starts).toBe(6)
    expect(outlived.length).toBeGreaterThan(100)
    expect(Math.max(...outlived)).toBeLessThanOrEqual(3)
  })

  it('control: with more tries it ends one process after the other', async () => {
    world = await openWorld(11)
    const { seen } = world
    await until(() => seen.starts > 6, 'the sixth end', patienceMs)
    expect(seen.failed).toEqual([])
  })
})
