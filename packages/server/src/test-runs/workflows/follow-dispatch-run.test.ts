import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { recordRunEvent } from '../runs/record-run-event.ts'
import { buildHostRun } from '../testing/build-host-run.ts'
import { openTestRuns, type TestRunApp } from '../testing/open-test-runs.ts'
import { findDispatch, insertDispatch } from './dispatch-rows.ts'
import { findDispatchRun } from './find-dispatch-run.ts'
import { enqueueFollow } from './follow-dispatch-run.ts'

let app: TestRunApp
let dispatchId: string
let reads: number
let answer: (runId: string) => ReturnType<TestRunApp['host']['readRun']>

beforeAll(async () => {
  app = await openTestRuns()
  app.host.readRun = ({ runId }) => {
    reads += 1
    return answer(runId)
  }
})
beforeEach(async () => {
  reads = 0
  answer = (externalId) => Promise.resolve(buildHostRun({ externalId, state: 'running' }))
  await app.test.asOwner('delete from pending_jobs')
  await app.test.asOwner('delete from workflow_dispatches')
  dispatchId = await start('9000')
})
afterAll(() => app.close())

/** A start whose run the code host named, or did not. */
function start(externalId: string | null): Promise<string> {
  const { orgId, deps, clock: requestedAt } = app
  const id = newId('dsp', requestedAt)
  return deps.store.transaction({ orgId }, async (tx) => {
    await insertDispatch(tx, orgId, {
      id,
      repositoryId: 'rep_1',
      workflowId: 'deploy.yml',
      ref: 'main',
      state: externalId === null ? 'ambiguous' : 'sent',
      reason: externalId === null ? 'run_not_found' : null,
      externalId,
      url: null,
      requestedBy: { type: 'system', id: null, name: 'test' },
      requestedAt,
    })
    await enqueueFollow(deps, tx, { orgId, dispatchId: id, requestedAt })
    return id
  })
}

const shown = () =>
  app.deps.store.transaction({ orgId: app.orgId }, (tx) => findDispatch(tx, app.orgId, dispatchId))
const hours = (count: number) => count * 3_600_000

describe('the run of a dispatch', () => {
  it('is read from the code host until it has ended, because the webhook that says so may be lost', async () => {
    await app.work(hours(1))
    expect(await shown()).toMatchObject({ runState: 'running', runFinishedAt: null })
    const ended = new Date(app.clock.getTime() + 60_000)
    answer = (externalId) =>
      Promise.resolve(buildHostRun({ externalId, state: 'failed', updatedAt: ended }))
    await app.work(hours(2))
    expect(await shown()).toMatchObject({ runState: 'failed', runFinishedAt: ended })
    const before = reads
    await app.work(hours(24))
    expect(reads).toBe(before)
  })

  it('is followed when it is run again after its end, whatever comes late of the first attempt', async () => {
    const { orgId, deps } = app
    app.events.splice(0)
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))
    const record = (attempt: number, state: 'queued' | 'running' | 'failed' | 'passed') =>
      deps.store.transaction({ orgId }, (tx) => {
        const times = { startedAt: at(attempt * 10), updatedAt: at(attempt * 10 + 5) }
        const run = buildHostRun({ externalId: '9000', attempt, state, ...times })
        return recordRunEvent(deps, tx, { orgId, repositoryExternalId: '42', run })
      })
    await record(1, 'failed')
    expect(await record(2, 'queued')).toBe('recorded')
    expect(await shown()).toMatchObject({ runState: 'queued', runFinishedAt: null })
    expect(app.events).toEqual([`dispatch.reopened ${dispatchId}`])
    await record(2, 'passed')
    await record(2, 'running')
    await record(1, 'failed')
    expect(await shown()).toMatchObject({ runState: 'passed', runFinishedAt: at(25) })
  })

  it('is read less often the longer it takes', async () => {
    await app.work(hours(1))
    const firstHour = reads
    await app.work(hours(24))
    expect(firstHour).toBeLessThanOrEqual(15)
    expect(reads - firstHour).toBeLessThanOrEqual(40)
  })

  it('is asked for again when the code host could not answer', async () => {
    const error = { provider: 'github', failure: 'unavailable', code: 'http_502' } as const
    answer = () => Promise.reject(new ProviderError(error))
    await app.work(hours(1))
    expect(await shown()).toMatchObject({ runState: null, runFinishedAt: null })
    answer = (externalId) => Promise.resolve(buildHostRun({ externalId }))
    await app.work(hours(2))
    expect(await shown()).toMatchObject({ runState: 'passed' })
  })

  it('is not waited for once the code host no longer has it', async () => {
    answer = () => Promise.resolve(undefined)
    await app.work(hours(1))
    expect(await shown()).toMatchObject({ state: 'ambiguous', reason: 'run_not_found' })
    expect(reads).toBe(1)
  })

  it('is given up after the longest time that a run can take', async () => {
    await app.work(hours(40 * 24))
    expect(await shown()).toMatchObject({ reason: 'run_not_found', runState: null })
    const [left] = await app.test.asOwner<{ count: number }>(
      'select count(*)::integer as count from pending_jobs',
    )
    expect(left?.count).toBe(0)
  })

  it('is not asked for where no run was found', async () => {
    await app.test.asOwner('delete from pending_jobs')
    dispatchId = await start(null)
    await app.work(hours(1))
    expect(reads).toBe(0)
  })
})

describe('the only run of the time, which shows no id', () => {
  it('is that of a dispatch where all were read, and of none where there are more', async () => {
    const { host, deps, orgId } = app
    dispatchId = await start(null)
    const byApp = { correlation: null, isRequested: true, isByApp: true, headBranch: 'main' }
    host.reset()
    host.runs = [buildHostRun({ externalId: '9100', ...byApp })]
    host.isComplete = false
    await findDispatchRun(deps, { orgId, dispatchId })
    expect(await shown()).toMatchObject({ state: 'ambiguous', externalId: null })
    host.isComplete = true
    await findDispatchRun(deps, { orgId, dispatchId })
    expect(await shown()).toMatchObject({ state: 'found', externalId: '9100' })
  })
})
