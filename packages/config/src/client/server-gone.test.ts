import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClients, type Clients } from '../testing/clients.ts'
import {
  browserKey,
  serverKey,
  startSnapshotServer,
  type Behaviour,
  type SnapshotServer,
} from '../testing/snapshot-server.ts'
import { createConfigClient } from './browser.ts'
import type { ConfigClient } from './client-types.ts'

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)

beforeAll(() => void process.on('unhandledRejection', note))
afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', note)
  if (unhandled.length > 0) throw new AggregateError(unhandled, 'Rejections nobody handled')
})

interface Place {
  readonly server: SnapshotServer
  readonly directory: string
  readonly open: (options?: Omit<Parameters<Clients['open']>[0], 'serverUrl'>) => ConfigClient
  readonly listSealed: () => string[]
  /** Leaves a last-known-good copy behind, as an earlier run of the app does. */
  readonly runOnce: () => Promise<void>
}

/** Gives each test a server and a directory of its own, so that those which wait for limits wait side by side. */
const inPlace = it.extend<{ readonly place: Place }>({
  // oxlint-disable-next-line no-empty-pattern
  place: async ({}, use) => {
    const clients = createClients()
    const server = await startSnapshotServer()
    const directory = mkdtempSync(join(tmpdir(), 'signalbox-config-'))
    const open: Place['open'] = (options = {}) =>
      clients.open({ serverUrl: server.url, ...options })
    const listSealed = () => readdirSync(directory).filter((name) => name.endsWith('.sealed'))
    const sealedBytes = () => listSealed().map((name) => readFileSync(join(directory, name)))
    const runOnce = async () => {
      const before = sealedBytes()
      const client = open({ persist: directory })
      await client.ready()
      // `expect.poll` belongs to one test, and several run side by side here.
      await vi.waitFor(() => expect(sealedBytes()).not.toEqual(before), { timeout: 10_000 })
      client.close()
      await vi.waitFor(() => expect(server.openStreams()).toBe(0), { timeout: 10_000 })
    }
    await use({ server, directory, open, listSealed, runOnce })
    clients.close()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  },
})

/** Runs an app before each test of a group, which leaves its copy behind. */
function runBefore(): void {
  beforeEach<{ readonly place: Place }>(({ place }) => place.runOnce())
}

/** Measures how long an app waited, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const patienceMs = 2_000
/** Holds what a busy machine adds. Without the limit the wait has no end. */
const slackMs = 10_000

const phases: [string, Behaviour | 'gone'][] = [
  ['before the connection', 'gone'],
  ['after the connection, before an answer', 'hang'],
  ['in the middle of the body, silently', 'hangInBody'],
  ['in the middle of the body, with a cut', 'cut'],
  ['behind a proxy that answers 502', { status: 502 }],
  ['behind a proxy that answers a page', 'garbage'],
]

describe('R21', () => {
  // The shortest of every jittered wait.
  beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
  afterAll(() => void vi.restoreAllMocks())

  describe.concurrent.each(phases)('the server dies %s', (_phase, behaviour) => {
    runBefore()

    const die = ({ server }: Place) => {
      if (behaviour === 'gone') return server.stop()
      server.behave(behaviour)
      // An unchanged snapshot would be answered without a body.
      return server.publish({})
    }

    inPlace(
      'and an app that knows nothing starts with defaults within 2 s',
      async ({ expect, place }) => {
        const { open } = place
        await die(place)
        const client = open({ defaults: { pageSize: 1, newCheckout: true } })
        const waited = await timed(() => client.ready())
        expect(waited).toBeLessThan(patienceMs + slackMs)
        expect(await client.get('pageSize')).toBe(1)
        expect(await client.flag('newCheckout')).toBe(true)
        await expect(client.get('apiUrl')).rejects.toMatchObject({ code: 'unreachable' })
        expect(client.status).toMatchObject({ version: 0, source: 'default', stale: true })
        expect(client.status.error?.code).toBe('unreachable')
      },
    )

    inPlace(
      'and an app that ran before starts with the last-known-good values within 2 s',
      async ({ expect, place }) => {
        const { open, directory } = place
        await die(place)
        const client = open({ persist: directory, defaults: { pageSize: 1 } })
        expect(client.snapshot().get('pageSize')).toBe(20)
        const waited = await timed(async () =>
          expect(await client.get('stripeKey')).toBe('sk_canary'),
        )
        expect(waited).toBeLessThan(patienceMs + slackMs)
        expect(await client.get('pageSize')).toBe(20)
        expect(client.status).toMatchObject({ version: 1, source: 'persisted', stale: true })
        expect(client.status.fetchedAt).toBeDefined()
      },
    )

    inPlace(
      'and a running app keeps its values, says that they are stale, and recovers',
      async ({ expect, place }) => {
        const { open, server } = place
        const client = open({ refresh: 100, timeoutMs: 300 })
        await client.ready()
        await expect.poll(() => server.openStreams()).toBe(1)
        await die(place)
        server.cutStreams()
        await expect.poll(() => client.status.stale).toBe(true)
        expect(await client.get('pageSize')).toBe(20)
        expect(client.status).toMatchObject({ version: 1, source: 'network' })
        if (behaviour === 'gone') await server.restart()
        server.behave('well')
        server.publish({ public: { pageSize: 21 } })
        await expect.poll(() => client.snapshot().get('pageSize'), { timeout: 20_000 }).toBe(21)
        expect(client.status.stale).toBe(false)
      },
    )
  })
})

describe('R21: controls', () => {
  inPlace(
    'without the limit an app would still be waiting',
    async ({ expect, place: { open, server } }) => {
      server.behave('hang')
      const request = fetch(`${server.url}/snapshots/a/b`).catch(() => 'ended')
      const snapshot = open({ timeoutMs: 60_000 }).refresh()
      const late = new Promise((resolve) => setTimeout(() => resolve('waiting'), patienceMs + 500))
      await request
      expect(await Promise.race([snapshot, late])).toBe('waiting')
    },
  )

  inPlace(
    'without the copy an app that ran before would know nothing',
    async ({ expect, place }) => {
      const { open, server, runOnce } = place
      await runOnce()
      await server.stop()
      const client = open()
      await expect(client.get('pageSize')).rejects.toMatchObject({ code: 'unreachable' })
    },
  )
})

/** Checks that waits are even: every tenth of the range is used, and none much more than the others. */
function isFullJitter(waits: readonly number[], leastMs: number, mostMs: number): boolean {
  const tenths = Array.from({ length: 10 }, () => 0)
  for (const wait of waits) {
    const tenth = Math.floor(((wait - leastMs) / (mostMs - leastMs)) * 10)
    if (tenths[tenth] === undefined) return false
    tenths[tenth] += 1
  }
  return tenths.every((count) => count > 0 && count < waits.length / 4)
}

describe('R21: reconnection', () => {
  /** Returns what clients wait after a number of failures, with timers that run when we say so. */
  async function waitsAfter(failures: number): Promise<number[]> {
    const timers: { readonly work: () => void; readonly delayMs: number }[] = []
    const waits: number[] = []
    vi.stubGlobal('setTimeout', (work: () => void, delayMs: number) =>
      timers.push({ work, delayMs }),
    )
    for (let each = 0; each < 300; each += 1) {
      const client = createConfigClient({
        serverUrl: 'http://gone',
        token: browserKey,
        schemaId: 'sch',
        environmentId: 'env',
        persist: false,
        fetch: () => Promise.reject(new TypeError('gone')),
      })
      for (let failed = 1; failed <= failures; failed += 1) {
        await new Promise((resolve) => setImmediate(resolve))
        const next = timers.splice(0).at(-1)
        if (failed === failures) waits.push(next?.delayMs ?? 0)
        else next?.work()
      }
      client.close()
    }
    return waits
  }

  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it.each([
    [1, 3_000],
    [2, 5_000],
    [4, 17_000],
    [12, 30_000],
  ])('after failure %i spreads evenly between 1,000 and %i ms', async (failures, mostMs) => {
    const waits = await waitsAfter(failures)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000)
    expect(isFullJitter(waits, 1_000, mostMs)).toBe(true)
  })

  it('control: waits that are all alike, or too long, are found', () => {
    expect(
      isFullJitter(
        Array.from({ length: 300 }, () => 2_000),
        1_000,
        3_000,
      ),
    ).toBe(false)
    expect(
      isFullJitter(
        Array.from({ length: 300 }, (_, i) => i * 100),
        1_000,
        3_000,
      ),
    ).toBe(false)
  })
})

describe('the last-known-good copy on disk', () => {
  runBefore()

  const fileOf = ({ directory, listSealed }: Place) => join(directory, listSealed()[0] ?? '')

  inPlace('is sealed, and for its owner alone', ({ expect, place }) => {
    const { directory, listSealed } = place
    const bytes = readFileSync(fileOf(place))
    for (const word of ['canary', 'a.example', 'pageSize', serverKey]) {
      expect(bytes.includes(word)).toBe(false)
    }
    expect(statSync(fileOf(place)).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual(listSealed())
  })

  inPlace(
    'is of no use to another token',
    async ({ expect, place: { open, server, directory } }) => {
      await server.stop()
      const client = open({ persist: directory, token: `${serverKey.slice(0, -1)}c` })
      await expect(client.get('pageSize')).rejects.toMatchObject({ code: 'unreachable' })
    },
  )

  inPlace.for<[string, (bytes: Buffer) => Buffer]>([
    ['a changed byte', (bytes: Buffer) => bytes.fill(bytes.at(20) === 0 ? 1 : 0, 20, 21)],
    ['a missing end', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['nothing in it', () => Buffer.alloc(0)],
  ])('with %s is not used, and the app hears of it', async ([, damage], { expect, place }) => {
    const { open, server, directory } = place
    writeFileSync(fileOf(place), damage(readFileSync(fileOf(place))))
    await server.stop()
    const errors: unknown[] = []
    const client = open({ persist: directory, onError: (error) => errors.push(error) })
    await expect(client.get('pageSize')).rejects.toMatchObject({ code: 'unreachable' })
    expect(errors[0]).toMatchObject({ code: 'invalid' })
  })

  inPlace(
    'never gives way to an older one',
    async ({ expect, place: { open, server, directory, runOnce } }) => {
      server.publish({ public: { pageSize: 30 } })
      await runOnce()
      await server.stop()
      const stale = await startSnapshotServer({ version: 1 })
      const client = open({
        persist: directory,
        fetch: (url, init) => fetch(url.replace(server.url, stale.url), init),
      })
      await client.ready()
      expect(client.snapshot().get('pageSize')).toBe(30)
      await stale.stop()
    },
  )

  inPlace('that cannot be written is told of and harms nothing', async ({ expect, place }) => {
    const errors: unknown[] = []
    const client = place.open({
      persist: join(fileOf(place), 'below a file'),
      onError: (error) => errors.push(error),
    })
    expect(await client.get('pageSize')).toBe(20)
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    expect(client.status.stale).toBe(false)
  })
})
