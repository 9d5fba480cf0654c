import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFaults } from './faults.ts'
import { json } from './answers.ts'
import { serve, type Serving } from './serve.ts'
import { createRequestLog } from './request-log.ts'

const faults = createFaults()
const log = createRequestLog()
let done = 0
let serving: Serving

beforeAll(async () => {
  const mount = {
    prefix: '/slack/api',
    unknown: () => json({}, 404),
    routes: [
      { method: 'POST' as const, path: '/chat.postMessage', handle: () => json((done += 1)) },
    ],
  }
  const provider = { name: 'slack' as const, mounts: [mount], reset() {} }
  const where = { host: '127.0.0.1', port: 0 }
  serving = await serve({ ...where, providers: [provider], own: [], faults, log })
})
afterEach(() => {
  done = 0
  faults.reset()
  log.reset()
})
afterAll(() => serving.close())

const post = (signal?: AbortSignal) =>
  fetch(`${serving.origin}/slack/api/chat.postMessage`, {
    method: 'POST',
    ...(signal && { signal }),
  })

describe('a fault', () => {
  it('happens as often as it was asked for, and then things go right', async () => {
    const headers = { 'retry-after': '3' }
    faults.add({ provider: 'slack', times: 2, fault: { kind: 'answer', status: 429, headers } })
    const refused = [await post(), await post()]
    expect(refused.map(({ status }) => status)).toEqual([429, 429])
    expect(refused[0]?.headers.get('retry-after')).toBe('3')
    expect(done).toBe(0)
    expect((await post()).status).toBe(200)
  })

  it('is for the requests that it names', async () => {
    faults.add({ provider: 'slack', request: 'POST /chat.update', fault: { kind: 'drop' } })
    faults.add({ provider: 'jira', fault: { kind: 'drop' } })
    expect((await post()).status).toBe(200)
  })

  it('that drops the connection does nothing', async () => {
    faults.add({ provider: 'slack', fault: { kind: 'drop' } })
    await expect(post()).rejects.toThrow(/fetch failed|aborted/)
    expect(done).toBe(0)
  })

  it('that cuts the answer has done what was asked', async () => {
    faults.add({ provider: 'slack', fault: { kind: 'cut' } })
    await expect(post()).rejects.toThrow(/fetch failed|aborted/)
    expect(done).toBe(1)
    expect(log.list()).toMatchObject([{ path: '/chat.postMessage', status: undefined }])
  })

  it('that hangs has done what was asked and answers nobody', async () => {
    faults.add({ provider: 'slack', fault: { kind: 'hang' } })
    const given = new AbortController()
    const answer = post(given.signal)
    await expect.poll(() => done).toBe(1)
    given.abort()
    await expect(answer).rejects.toThrow(/fetch failed|aborted/)
  })

  it('that holds does what was asked once it is let go on', async () => {
    let letGoOn = () => {}
    const until = new Promise<void>((resolve) => {
      letGoOn = resolve
    })
    faults.add({ provider: 'slack', fault: { kind: 'hold', until } })
    const answer = post()
    await expect.poll(() => faults.list()).toEqual([])
    expect(done).toBe(0)
    letGoOn()
    expect(await (await answer).json()).toBe(1)
  })

  it('that drips sends the whole answer in the end', async () => {
    faults.add({ provider: 'slack', fault: { kind: 'drip', everyMs: 1 } })
    expect(await (await post()).json()).toBe(1)
  })
})
