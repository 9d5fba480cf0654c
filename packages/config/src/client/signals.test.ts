import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  environmentId,
  schemaId,
  serverKey,
  startSnapshotServer,
} from '../testing/snapshot-server.ts'
import { createConfigClient } from './portable.ts'
import { eitherOf } from './signals.ts'

/** As React Native has it: without `any` and `timeout`. */
const bareAbortSignal = {}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each([
  ['AbortSignal.any', () => {}],
  ['no AbortSignal.any', () => vi.stubGlobal('AbortSignal', bareAbortSignal)],
])('with %s, one signal of two', (_, prepare) => {
  it.each([
    ['the first', (first: AbortController) => first],
    ['the second', (_first: AbortController, second: AbortController) => second],
  ])('aborts with %s, for its reason', (_name, choose) => {
    prepare()
    const [first, second] = [new AbortController(), new AbortController()]
    const signal = eitherOf(first.signal, second.signal)
    expect(signal.aborted).toBe(false)
    choose(first, second).abort('why')
    expect([signal.aborted, signal.reason]).toEqual([true, 'why'])
  })

  it('has aborted where one had before', () => {
    prepare()
    const [before, later] = [new AbortController(), new AbortController()]
    before.abort('before')
    expect(eitherOf(later.signal, before.signal).reason).toBe('before')
  })
})

describe('a client where AbortSignal has neither any nor timeout', () => {
  it('reads, follows, and cancels a request that takes too long', async () => {
    vi.stubGlobal('AbortSignal', bareAbortSignal)
    const server = await startSnapshotServer()
    const options = { serverUrl: server.url, token: serverKey, schemaId, environmentId }
    const client = createConfigClient({ ...options, timeoutMs: 200, onError: () => {} })
    expect(await client.get('stripeKey')).toBe('sk_canary')
    await expect.poll(() => server.openStreams()).toBe(1)
    server.behave('hang')
    await client.refresh()
    expect(client.status.error).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('TimeoutError'),
    })
    client.close()
    await expect.poll(() => server.openStreams()).toBe(0)
    await server.stop()
  })

  it('says what else the platform lacks, and nothing else of an error', async () => {
    const messages: string[] = []
    for (const message of ['structuredClone is not a function', `bad header ${serverKey}`]) {
      const client = createConfigClient({
        serverUrl: 'http://127.0.0.1:9',
        token: serverKey,
        schemaId,
        environmentId,
        refresh: false,
        onError: () => {},
        fetch: () => {
          throw new TypeError(message)
        },
      })
      await client.ready()
      messages.push(client.status.error?.message ?? '')
      client.close()
    }
    expect(messages).toEqual([
      'No response from http://127.0.0.1:9: structuredClone is not a function',
      'No response from http://127.0.0.1:9: TypeError',
    ])
  })
})
