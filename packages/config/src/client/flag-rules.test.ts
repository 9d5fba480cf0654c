import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FlagRules } from '@signalbox/contract'
import { nearNames } from './near-names.ts'
import { createClients } from '../testing/clients.ts'
import { browserKey, startSnapshotServer, type SnapshotServer } from '../testing/snapshot-server.ts'

vi.mock('./near-names.ts', { spy: true })

const clients = createClients()
let server: SnapshotServer

const forPro: FlagRules = {
  newCheckout: [{ when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: true }],
}

beforeEach(async () => {
  server = await startSnapshotServer({ flagRules: forPro })
  // The shortest of every jittered wait.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.clearAllMocks()
  clients.close()
  await server.stop()
})

const open = (options: Omit<Parameters<typeof clients.open>[0], 'serverUrl'> = {}) =>
  clients.open({ serverUrl: server.url, ...options })

/** A storage in memory, and what it holds. */
function createStorage() {
  const held = new Map<string, string>()
  return {
    held,
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, text: string) => void held.set(key, text),
  }
}

describe('rules of flags', () => {
  it('decide in the process, for the context that is given', async () => {
    const client = open()
    expect(await client.flag('newCheckout', { plan: 'pro' })).toBe(true)
    expect(await client.flag('newCheckout', { plan: 'free' })).toBe(false)
    expect(await client.flag('newCheckout')).toBe(false)
    expect(client.snapshot().flag('newCheckout', { plan: 'pro' })).toBe(true)
    expect(await client.flag('unknown', { plan: 'pro' })).toBe(false)
    expect(server.asked()).toBe(1)
  })

  it('cost a flag that has none no search for similar names', async () => {
    server.publish({ featureFlags: { newCheckout: true, plain: true } })
    const client = open()
    expect(await client.flag('plain')).toBe(true)
    expect(nearNames).not.toHaveBeenCalled()
    expect(await client.flag('plian')).toBe(false)
    expect(nearNames).toHaveBeenCalled()
  })

  it('fall through to the value, or its default where a rollout is for nobody in particular', async () => {
    server.publish({
      featureFlags: { newCheckout: true },
      flagRules: { newCheckout: [{ when: [], serve: { percent: 1 } }] },
    })
    const client = open()
    expect(await client.flag('newCheckout', {})).toBe(true)
    expect(await client.flag('newCheckout', { targetingKey: 'user-1' })).toBe(false)
  })

  it('call the subscribers when they change, and only those of the flag', async () => {
    const client = open()
    await client.ready()
    const heard: string[] = []
    const note =
      (name: string) =>
      (snapshot: {
        flag: typeof client.snapshot extends () => infer S
          ? S extends { flag: infer F }
            ? F
            : never
          : never
      }) =>
        heard.push(`${name} ${snapshot.flag('newCheckout', { plan: 'free' })}`)
    client.subscribe(note('all'))
    client.subscribe(note('flag'), ['newCheckout'])
    client.subscribe(note('other'), ['apiUrl'])
    server.publish({ flagRules: { newCheckout: [{ when: [], serve: true }] } })
    await expect.poll(() => heard).toEqual(['all true', 'flag true'])
  })

  it('are in nothing that a snapshot is written as', async () => {
    const client = open()
    await client.ready()
    const snapshot = client.snapshot()
    expect(snapshot).toBe(client.snapshot())
    expect(JSON.stringify(snapshot)).not.toMatch(/pro|plan|flagRules/)
    expect(Object.keys(snapshot)).not.toContain('flagRules')
    await expect(client.get('newChekout')).rejects.toThrow(
      /^No value for newChekout, near newCheckout$/,
    )
  })

  it('decide from the last snapshot when there is no server', async () => {
    const storage = createStorage()
    const first = open({ storage })
    await first.ready()
    await expect.poll(() => storage.held.size).toBe(1)
    first.close()
    await server.stop()
    const client = open({ storage })
    expect(await client.flag('newCheckout', { plan: 'pro' })).toBe(true)
    expect(client.status).toMatchObject({ source: 'persisted', stale: true })
    await server.restart()
  })

  it('are not there for a browser key, which reads the value', async () => {
    const client = open({ token: browserKey })
    expect(await client.flag('newCheckout', { plan: 'pro' })).toBe(false)
  })
})
