import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job, Jobs } from '../jobs/jobs.ts'
import { workRetention } from './jobs.ts'
import { keptMs, openOldDeployments, type OldDeployments } from './testing/open-old-deployments.ts'

let app: OldDeployments
beforeAll(async () => {
  app = await openOldDeployments()
})
afterAll(() => app.close())

describe('the job that deletes old rows', () => {
  it('goes on in another one when its time is over, until everything was looked at', async () => {
    const { orgId } = await app.addOrganization()
    for (const number of [1, 2]) await app.deploy(orgId, number, { state: 'failure' })
    const handlers = new Map<string, (job: Job) => Promise<void>>()
    const added: string[] = []
    const jobs: Pick<Jobs, 'work' | 'enqueue'> = {
      work: (queue, handler) => Promise.resolve(void handlers.set(queue, handler)),
      enqueue: (_tx, queue) => Promise.resolve(void added.push(queue)),
    }
    const now = () => new Date(Date.UTC(2026, 10, 22) + keptMs)
    const keptFor = { deploymentsMs: keptMs, testResultsMs: keptMs }
    await workRetention(jobs, { store: app.test.store, keptFor, now })
    const work = (signal: AbortSignal) =>
      handlers.get('retention.forgetOld')?.({
        id: '1',
        queue: 'retention.forgetOld',
        data: {},
        attempt: 1,
        signal,
      })
    await work(AbortSignal.abort())
    expect([await app.numbers(orgId), added]).toEqual([[1, 2], ['retention.forgetOld']])
    await work(new AbortController().signal)
    expect([await app.numbers(orgId), added]).toEqual([[], ['retention.forgetOld']])
  })
})
