import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../store/log.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { createJobs } from './create-jobs.ts'
import type { Job, Jobs } from './jobs.ts'
import { deadLetterQueue } from './queue.ts'

/** Shortened: two tries of two seconds, where the product has twelve of five minutes. */
const queues = [
  { name: 'limited', retries: 1, retryDelaySeconds: 1, expireInSeconds: 2 },
  { name: 'unlimited', retries: 1, retryDelaySeconds: 1, expireInSeconds: 300 },
] as const
const others = 30

let test: TestStore
let jobs: Jobs<string>

beforeAll(async () => {
  test = await openTestStore()
})
afterEach(async () => {
  await jobs.close(1_000)
})
afterAll(() => test.close())

/** Starts as many that never end as there are workers, one that always throws, and then others. Answers what is done. */
async function poison(queue: string): Promise<{ readonly delaysMs: number[]; tries: number }> {
  const { target } = test.store
  jobs = await createJobs({
    target,
    poolTarget: test.store.poolTarget('signalbox_maintenance'),
    queues,
    log: silentLog,
    worker: true,
  })
  const seen = { delaysMs: [] as number[], tries: 0 }
  const handle = async ({ data }: Job) => {
    const { kind, at } = Object(data)
    if (kind === 'throws') {
      seen.tries += 1
      throw new Error('always')
    }
    if (kind === 'hangs') await new Promise(() => {})
    seen.delaysMs.push(performance.now() - Number(at))
  }
  await jobs.work(queue, handle, { concurrency: 2 })
  const kinds = ['hangs', 'throws', 'hangs', ...Array<string>(others).fill('ends')]
  const added = kinds.map((kind) => ({ data: { kind, at: performance.now() } }))
  await test.store.transaction({ orgId: null }, (tx) => jobs.enqueueAll(tx, queue, added))
  return seen
}

const deadKinds = async () =>
  (
    await test.asOwner<{ kind: string }>(
      `select data->>'kind' as kind from pgboss.job where name = '${deadLetterQueue}' order by 1`,
    )
  ).map(({ kind }) => kind)

describe('a job that always throws, and jobs that never end on every worker (R19)', () => {
  it('hold up the others for as long as one try may take, and are in the dead letter queue in the end', async () => {
    const seen = await poison('limited')
    await expect.poll(() => seen.delaysMs.length, { timeout: 30_000 }).toBe(others)
    await expect.poll(deadKinds, { timeout: 40_000 }).toEqual(['hangs', 'hangs', 'throws'])
    console.log(
      `poison jobs: ${others} others, the slowest ${Math.round(Math.max(...seen.delaysMs))} ms, ${seen.tries} tries of the one that throws`,
    )
    expect(seen.tries).toBe(2)
  })

  it('control: hold up the others without end where a try may take as long as it likes', async () => {
    const seen = await poison('unlimited')
    await expect(
      expect.poll(() => seen.delaysMs.length, { timeout: 4_000 }).toBe(others),
    ).rejects.toThrow('to be 30')
    expect(seen.delaysMs.length).toBeLessThan(others)
  })
})
