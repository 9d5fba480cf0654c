import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { silentLog } from '../store/log.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { installJobs } from './install-jobs.ts'

let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test.close())

it('changes only the queue whose definition has changed, and leaves the others as they are', async () => {
  const created = vi.spyOn(PgBoss.prototype, 'createQueue')
  const changed = vi.spyOn(PgBoss.prototype, 'updateQueue')
  const install = async (retries: number) => {
    const queues = [{ name: 'first', retries, retryDelayMaxSeconds: 60 }, { name: 'second' }]
    await installJobs(test.store.target, queues, { log: silentLog })
    const calls = [created.mock.calls.length, changed.mock.calls.length]
    created.mockClear()
    changed.mockClear()
    return calls
  }
  expect(await install(1)).toEqual([2, 0])
  expect(await install(1)).toEqual([0, 0])
  expect(await install(2)).toEqual([0, 1])
  const stored = await test.asOwner(`select retry_limit from pgboss.queue where name = 'first'`)
  expect(stored).toEqual([{ retry_limit: 2 }])
})
