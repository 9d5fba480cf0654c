import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConfigError } from '../config-error.ts'
import { declaredDefaults } from '../declared-defaults.ts'
import { defineConfig } from '../define-config.ts'
import { createClients } from '../testing/clients.ts'
import {
  browserKey,
  schemaId,
  serverKey,
  startSnapshotServer,
  type SnapshotServer,
} from '../testing/snapshot-server.ts'
import { string } from '../validators/string.ts'
import { optional } from '../validators/wrapped.ts'

const clients = createClients()
let server: SnapshotServer

beforeEach(async () => {
  server = await startSnapshotServer()
  // The shortest of every jittered wait.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

afterEach(async () => {
  vi.restoreAllMocks()
  clients.close()
  await server.stop()
})

const open = (options: Omit<Parameters<typeof clients.open>[0], 'serverUrl'> = {}) =>
  clients.open({ serverUrl: server.url, ...options })

describe('reads', () => {
  it('answer public values, secrets and flags', async () => {
    const client = open()
    expect(await client.get('apiUrl')).toBe('https://a.example')
    expect(await client.get('pageSize')).toBe(20)
    expect(await client.get('stripeKey')).toBe('sk_canary')
    expect(await client.flag('newCheckout')).toBe(false)
    expect(client.status).toMatchObject({ version: 1, source: 'network', stale: false })
    expect(Date.parse(client.status.fetchedAt ?? '')).toBeGreaterThan(Date.now() - 10_000)
  })

  it('find no secret with a browser key', async () => {
    const client = open({ token: browserKey })
    expect(await client.get('apiUrl')).toBe('https://a.example')
    await expect(client.get('stripeKey')).rejects.toMatchObject({ code: 'unknown_key' })
  })

  it('name near keys for an unknown one, and are never undefined', async () => {
    const client = open()
    await expect(client.get('apiUlr')).rejects.toThrow(/^No value for apiUlr, near apiUrl$/)
    await expect(client.get('xqv')).rejects.toThrow(/^No value for xqv$/)
    await expect(client.get('constructor')).rejects.toBeInstanceOf(ConfigError)
    await expect(client.get('__proto__')).rejects.toMatchObject({ code: 'unknown_key' })
    expect(await client.flag('toString')).toBe(false)
  })

  it('answer the default of a key or flag that the server has not', async () => {
    const client = open({ defaults: { region: 'eu', beta: true, newCheckout: true } })
    expect(await client.get('region')).toBe('eu')
    expect(await client.flag('beta')).toBe(true)
    expect(await client.flag('newCheckout')).toBe(false)
    expect(await client.flag('unheardOf')).toBe(false)
  })

  it('answer undefined for an optional key that defaults name, until it has a value', async () => {
    const config = defineConfig({ public: { region: optional(string()) } })
    const client = open({ defaults: declaredDefaults(config) })
    expect(await client.get('region')).toBeUndefined()
    expect(client.snapshot().get('region')).toBeUndefined()
    server.publish({ public: { region: 'eu' } })
    await expect.poll(() => client.snapshot().get('region')).toBe('eu')
    await expect(open().get('unheardOf')).rejects.toMatchObject({ code: 'unknown_key' })
  })

  it('of a flag are true for true alone, not for the value of another key', async () => {
    server.publish({ public: { timeoutMs: 7_000, name: 'x' }, featureFlags: { newCheckout: true } })
    const client = open({ defaults: { region: 'eu' } })
    expect(await client.flag('newCheckout')).toBe(true)
    for (const key of ['timeoutMs', 'name', 'stripeKey', 'region']) {
      expect([key, await client.flag(key)]).toEqual([key, false])
    }
  })

  it('take an address with a slash at its end', async () => {
    expect(await open({ serverUrl: `${server.url}/` } as object).get('pageSize')).toBe(20)
  })
})

describe('snapshot', () => {
  it('is of one version and cannot be changed', async () => {
    const client = open()
    await client.ready()
    const snapshot = client.snapshot()
    server.publish({ public: { apiUrl: 'https://b.example' } })
    await expect.poll(() => client.snapshot().version).toBe(2)
    expect(snapshot.get('apiUrl')).toBe('https://a.example')
    expect(client.snapshot().get('apiUrl')).toBe('https://b.example')
    expect(() => Object.assign(snapshot.public, { apiUrl: 'x' })).toThrow(TypeError)
    expect(() => Object.assign(snapshot, { version: 9 })).toThrow(TypeError)
  })

  it('written as JSON holds no secret', async () => {
    const client = open()
    await client.ready()
    expect(client.snapshot().get('stripeKey')).toBe('sk_canary')
    expect(JSON.stringify(client.snapshot())).not.toContain('canary')
  })
})

describe('changes', () => {
  it('arrive through the stream, long before any polling', async () => {
    const client = open({ refresh: 3_600_000 })
    expect(await client.flag('newCheckout')).toBe(false)
    await expect.poll(() => server.openStreams()).toBe(1)
    server.publish({ featureFlags: { newCheckout: true } })
    await expect.poll(() => client.snapshot().flag('newCheckout')).toBe(true)
  })

  it('published one after the other end with the last one', async () => {
    const client = open()
    await expect.poll(() => server.openStreams()).toBe(1)
    for (const pageSize of [1, 2, 3, 4, 5]) server.publish({ public: { pageSize } })
    await expect.poll(() => client.snapshot().get('pageSize')).toBe(5)
    expect(client.snapshot().version).toBe(6)
  })

  it('that a lagging node does not have yet are asked for again', async () => {
    const client = open()
    await expect.poll(() => server.openStreams()).toBe(1)
    server.behave('late')
    server.publish({ public: { pageSize: 99 } })
    await expect.poll(() => server.asked()).toBeGreaterThanOrEqual(3)
    expect(client.snapshot().get('pageSize')).toBe(20)
    server.behave('well')
    await expect.poll(() => client.snapshot().get('pageSize')).toBe(99)
  })

  it('are polled for while streams are refused', async () => {
    server.behave('well', { status: 503 })
    const client = open({ refresh: 200 })
    await client.ready()
    server.publish({ public: { pageSize: 7 } })
    await expect.poll(() => client.snapshot().get('pageSize')).toBe(7)
    expect(server.openStreams()).toBe(0)
  })

  it('made while the stream was down are found when it is back', async () => {
    const client = open()
    await expect.poll(() => server.openStreams()).toBe(1)
    server.cutStreams()
    server.publish({ public: { pageSize: 8 } })
    await expect.poll(() => client.snapshot().get('pageSize')).toBe(8)
    await expect.poll(() => server.openStreams()).toBe(1)
  })

  it('are looked for only by refresh() with refresh: false', async () => {
    const client = open({ refresh: false })
    await client.ready()
    server.publish({ public: { pageSize: 9 } })
    expect(server.openStreams()).toBe(0)
    expect(client.snapshot().get('pageSize')).toBe(20)
    await client.refresh()
    expect(client.snapshot().get('pageSize')).toBe(9)
  })
})

describe('requests', () => {
  it('carry the key in a header and the ETag of the last answer', async () => {
    const client = open({ refresh: false })
    await client.ready()
    await client.refresh()
    const [first, second] = server.requests
    expect(first?.headers).toMatchObject({ authorization: `Bearer ${serverKey}` })
    expect(first?.line).not.toContain(serverKey)
    expect(first?.headers['if-none-match']).toBeUndefined()
    expect(second?.headers['if-none-match']).toBe('"v1"')
    expect(client.snapshot().get('pageSize')).toBe(20)
    expect(client.status).toMatchObject({ source: 'network', stale: false })
  })

  it('are one at a time, however many ask', async () => {
    const client = open({ refresh: false })
    await client.ready()
    await Promise.all(Array.from({ length: 10 }, () => client.refresh()))
    expect(server.asked()).toBe(2)
  })

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [429, 'unreachable'],
    [500, 'unreachable'],
  ])('answered with %i reject reads with %s when nothing is known', async (status, code) => {
    server.behave({ status })
    const client = open({ defaults: { region: 'eu' } })
    await expect(client.get('apiUrl')).rejects.toMatchObject({ code })
    expect(await client.get('region')).toBe('eu')
    expect(client.status).toMatchObject({ source: 'default', stale: true, error: { code } })
  })

  it('stop with close, and so does the stream', async () => {
    const client = open({ refresh: 50 })
    await expect.poll(() => server.openStreams()).toBe(1)
    client.close()
    await expect.poll(() => server.openStreams()).toBe(0)
    const asked = server.requests.length
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(server.requests.length).toBe(asked)
    expect(await client.get('pageSize')).toBe(20)
  })
})

describe('a document is not believed', () => {
  it('when it is of another schema', async () => {
    const errors: unknown[] = []
    const client = open({ refresh: false, onError: (error) => errors.push(error) })
    await client.ready()
    server.publish({ schemaId: schemaId.replace('sch_01', 'sch_02'), public: { pageSize: 1 } })
    await client.refresh()
    expect(client.snapshot().get('pageSize')).toBe(20)
    expect(client.status).toMatchObject({ stale: true, error: { code: 'invalid' } })
    expect(errors).toMatchObject([{ code: 'invalid' }])
  })

  it('when it is older than what is known', async () => {
    const client = open({ refresh: false })
    await client.ready()
    server.publish({ version: 5, public: { pageSize: 5 } })
    await client.refresh()
    server.publish({ version: 4, public: { pageSize: 4 } })
    await client.refresh()
    expect(client.snapshot().get('pageSize')).toBe(5)
  })

  it('when it is not one at all', async () => {
    const client = open({ refresh: false })
    await client.ready()
    server.publish({})
    server.behave('garbage')
    await client.refresh()
    expect(client.snapshot().get('pageSize')).toBe(20)
    expect(client.status.stale).toBe(true)
  })
})

describe('initialValues', () => {
  const initialValues = { version: 900, public: { pageSize: 3 }, featureFlags: {} }

  it('are answered at once, without the server', async () => {
    server.behave('hang')
    // Without them it would wait for longer than this test may take.
    const client = open({ initialValues, timeoutMs: 600_000 })
    expect(await client.get('pageSize')).toBe(3)
    expect(client.status).toMatchObject({ version: 900, source: 'initial', stale: true })
  })

  it('give way to the server, whose versions may count differently', async () => {
    const client = open({ initialValues })
    await expect.poll(() => client.snapshot().get('pageSize')).toBe(20)
    expect(client.status).toMatchObject({ version: 1, source: 'network' })
  })
})

describe('subscribers', () => {
  it('hear of changes of their keys and of no others', async () => {
    const changes: number[] = []
    const client = open({ refresh: false, onChange: ({ version }) => changes.push(version) })
    await client.ready()
    const pages: unknown[] = []
    const flags: unknown[] = []
    client.subscribe((snapshot) => pages.push(snapshot.get('pageSize')), ['pageSize'])
    const stop = client.subscribe(
      (snapshot) => flags.push(snapshot.flag('newCheckout')),
      ['newCheckout'],
    )
    server.publish({ public: { pageSize: 1 } })
    await client.refresh()
    server.publish({ featureFlags: { newCheckout: true } })
    await client.refresh()
    server.publish({})
    await client.refresh()
    stop()
    server.publish({ featureFlags: { newCheckout: false } })
    await client.refresh()
    expect(pages).toEqual([1])
    expect(flags).toEqual([true])
    expect(changes).toEqual([1, 2, 3, 5])
  })

  it('that throw disturb nobody', async () => {
    const errors: unknown[] = []
    const heard: unknown[] = []
    const client = open({ refresh: false, onError: (error) => errors.push(error) })
    await client.ready()
    client.subscribe(() => {
      throw new Error('of the app')
    })
    client.subscribe(({ version }) => heard.push(version))
    server.publish({ public: { pageSize: 1 } })
    await client.refresh()
    expect(heard).toEqual([2])
    expect(errors).toMatchObject([{ message: 'of the app' }])
    expect(client.status.stale).toBe(false)
  })
})
