import { boolean, defineConfig, number, string } from '@signalbox/config'
import type { ConfigError } from '@signalbox/config/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  browserKey,
  environment,
  orgId,
  serverKey,
  startSnapshotServer,
  type Behaviour,
  type SnapshotServer,
} from '../../../config/src/testing/snapshot-server.ts'
import { getConfig, getServerConfig } from '../server.ts'

const config = defineConfig({
  public: { apiUrl: string({ default: 'https://default.example' }), pageSize: number() },
  secret: { stripeKey: string({ default: 'sk_default' }) },
  featureFlags: { newCheckout: boolean({ default: true }) },
})

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
let server: SnapshotServer
let failures: ConfigError[]

beforeEach(async () => {
  process.on('unhandledRejection', note)
  unhandled.length = 0
  failures = []
  server = await startSnapshotServer()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await server.stop()
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', note)
  if (unhandled.length > 0) throw new AggregateError(unhandled, 'Rejections nobody handled')
})

const onError = (error: ConfigError) => failures.push(error)
const configSource = () => ({ baseUrl: server.url, environment, orgId, config, onError })
const readPublic = () => getConfig({ ...configSource(), apiKey: browserKey })
const readAll = () => getServerConfig({ ...configSource(), apiKey: serverKey })

/** The limits are two seconds at most, and a busy machine adds to them. Without them a render would wait forever. */
const soonMs = 12_000

/** Returns what was read, and how many milliseconds a render waited for it. */
async function timed<T>(work: () => Promise<T>): Promise<{ found: T; tookMs: number }> {
  const startedAt = performance.now()
  const found = await work()
  return { found, tookMs: performance.now() - startedAt }
}

const phases: readonly (readonly [string, Behaviour | 'stopped', string])[] = [
  ['is not there', 'stopped', 'unreachable'],
  ['takes the request and says nothing', 'hang', 'unreachable'],
  ['goes silent in the middle of its answer', 'hangInBody', 'unreachable'],
  ['breaks off in its answer', 'cut', 'unreachable'],
  ['is something else', 'garbage', 'invalid'],
  ['is in trouble', { status: 503 }, 'unreachable'],
  ['does not know the key any more', { status: 401 }, 'unauthorized'],
  ['does not let the key read this', { status: 403 }, 'forbidden'],
  ['has no such environment', { status: 404 }, 'not_found'],
  ['asks which schema is meant', { status: 400, detail: 'Add ?schema=' }, 'invalid'],
]

async function lose(how: Behaviour | 'stopped'): Promise<void> {
  if (how === 'stopped') await server.stop()
  else server.behave(how)
}

describe.each(phases)('when the server %s', (_, how, code) => {
  it('the declared values answer within two seconds, and those of the last read once there was one', async () => {
    const readBoth = () => timed(() => Promise.all([readPublic(), readAll()]))
    await lose(how)
    const first = await readBoth()
    expect(first.found[0]).toEqual({
      version: 0,
      public: { apiUrl: 'https://default.example' },
      featureFlags: { newCheckout: true },
      status: { source: 'default', stale: true, error: code },
    })
    expect(first.found[1].secret.get('stripeKey')).toBe('sk_default')
    expect(first.tookMs).toBeLessThan(soonMs)
    expect(failures.map((failure) => failure.code)).toEqual([code, code])
    if (how === 'stopped') await server.restart()
    server.behave('well')
    // A server that was away is waited for only briefly: a busy machine may need a second read.
    await expect.poll(async () => (await readPublic()).status.source).toBe('network')
    await expect.poll(async () => (await readAll()).secret.get('stripeKey')).toBe('sk_canary')
    await lose(how)
    const { found, tookMs } = await readBoth()
    const status = { source: 'persisted', stale: true, error: code }
    expect(found[0]).toMatchObject({
      version: 1,
      public: { apiUrl: 'https://a.example', pageSize: 20 },
      featureFlags: { newCheckout: false },
      status,
    })
    expect([found[1].secret.get('stripeKey'), found[1].status]).toEqual(['sk_canary', status])
    expect(tookMs).toBeLessThan(soonMs)
    if (how === 'stopped') await server.restart()
  })
})

describe('a server that is silent', () => {
  it('is waited for once, and not by each render', async () => {
    await readPublic()
    server.behave('hang')
    await readPublic()
    const { found, tookMs } = await timed(async () => {
      await readPublic()
      await readPublic()
      return readPublic()
    })
    expect(found.status.source).toBe('persisted')
    // Each waits for 100 ms. Three that wait as the first one did take 4,500 at least.
    expect(tookMs).toBeLessThan(4_400)
  })

  it('is believed again with its first answer', async () => {
    server.behave({ status: 503 })
    await readPublic()
    server.behave('well')
    expect((await readPublic()).status).toEqual({ source: 'network', stale: false })
  })
})

describe('a build', () => {
  const immediately = <T>(work: Promise<T>) =>
    Promise.race([work, new Promise((resolve) => setImmediate(() => resolve('it took time')))])

  it('asks once, and answers the rest without waiting, as Next.js demands of a second render', async () => {
    vi.stubEnv('NEXT_PHASE', 'phase-production-build')
    server.behave({ status: 503 })
    const first = readPublic()
    expect(await immediately(first)).toBe('it took time')
    await first
    expect(await immediately(readPublic())).toMatchObject({
      status: { source: 'default', stale: true, error: 'unreachable' },
    })
    expect(failures).toHaveLength(1)
    server.behave('well')
    await expect.poll(async () => (await readPublic()).status.source).toBe('network')
    vi.unstubAllEnvs()
  })
})

describe('a process that has just started', () => {
  it('finds in the cache of Next.js what an earlier one has read, however old', async () => {
    const { fetch } = globalThis
    const asked: unknown[] = []
    // As Next.js does while it renders again: what is too old for the request is asked for, and kept for any other.
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      const given: RequestInit & { next?: { revalidate?: number } } = init ?? {}
      asked.push(given.next?.revalidate)
      if (given.next?.revalidate === 60) throw new TypeError('fetch failed')
      return fetch(url, init)
    })
    const found = await readPublic()
    expect(found).toMatchObject({ version: 1, status: { source: 'persisted', stale: true } })
    expect(asked).toEqual([60, 31_536_000])
  })
})

describe('what a failure tells', () => {
  it('is the words of the server, and never a token', async () => {
    server.behave({ status: 403, detail: 'The key may not read production.' })
    await readAll()
    expect(failures[0]?.message).toBe('HTTP 403: The key may not read production.')
    await server.stop()
    await readAll()
    await server.restart()
    expect(failures.map(String).join()).not.toContain(serverKey)
  })
})
