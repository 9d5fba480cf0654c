import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { silentLog } from './log.ts'
import { openDeliveryStore, openStore, type OpenStore } from './open-store.ts'
import { openTestStore, type TestStore } from './testing/test-database.ts'

let test: TestStore
let other: OpenStore
beforeAll(async () => {
  test = await openTestStore()
  other = await openStore({ source: { databaseUrl: test.databaseUrl }, log: silentLog })
})
afterAll(async () => {
  await other.close()
  await test.close()
})

/** Collects the notifications as they arrive, whoever sends them. */
async function listen() {
  const client = new pg.Client(test.databaseUrl)
  const heard: (string | undefined)[] = []
  client.on('notification', ({ payload }) => heard.push(payload))
  await client.connect()
  await client.query('listen signalbox')
  return { client, heard }
}

describe('announce', () => {
  it('wakes the listeners of its own process at once', () => {
    const listener = vi.fn<() => void>()
    const stop = test.store.onAnnounce('snapshots', listener)
    test.store.announce('snapshots')
    expect(listener).toHaveBeenCalledTimes(1)
    stop()
    test.store.announce('snapshots')
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('wakes the listeners of other nodes, and those that only deliver', async () => {
    const delivery = await openDeliveryStore({
      source: { databaseUrl: test.databaseUrl },
      log: silentLog,
    })
    const heard = [vi.fn<() => void>(), vi.fn<() => void>()] as const
    const stop = other.onAnnounce('snapshots', heard[0])
    delivery.onAnnounce('snapshots', heard[1])
    // Each is woken once when it begins to listen.
    const allHeard = () => heard.every((listener) => listener.mock.calls.length > 0)
    await expect.poll(allHeard).toBe(true)
    for (const listener of heard) listener.mockClear()
    test.store.announce('snapshots')
    await expect.poll(allHeard).toBe(true)
    stop()
    await delivery.close()
  })

  it('wakes no listener of another topic, here or on another node', async () => {
    const others = [vi.fn<() => void>(), vi.fn<() => void>()] as const
    const heard = vi.fn<() => void>()
    const stops = [
      test.store.onAnnounce('credentials', others[0]),
      other.onAnnounce('credentials', others[1]),
      other.onAnnounce('snapshots', heard),
    ]
    // Once this is heard, the listening has begun.
    test.store.announce('credentials')
    await expect.poll(() => others[1].mock.calls.length).toBeGreaterThanOrEqual(1)
    for (const listener of [...others, heard]) listener.mockClear()
    test.store.announce('snapshots')
    await expect.poll(() => heard.mock.calls.length).toBe(1)
    expect(others.map((listener) => listener.mock.calls.length)).toEqual([0, 0])
    for (const stop of stops) stop()
  })

  it('sends a burst as a few notifications', async () => {
    const heard = vi.fn<() => void>()
    const stop = other.onAnnounce('snapshots', heard)
    for (let count = 0; count < 1_000; count += 1) test.store.announce('snapshots')
    await expect.poll(() => heard.mock.calls.length).toBeGreaterThanOrEqual(1)
    await other.check()
    expect(heard.mock.calls.length).toBeLessThanOrEqual(4)
    stop()
  })

  it('sends the topics of one commit together', async () => {
    const { client, heard } = await listen()
    await test.store.transaction({ orgId: null }, (tx) => {
      tx.announce('jobs')
      tx.announce('snapshots')
      return Promise.resolve()
    })
    await expect.poll(() => heard.join()).toMatch(/snapshots/)
    expect(heard).toEqual([expect.stringMatching(/^\S+ jobs snapshots$/)])
    await client.end()
  })

  it('can be closed while it connects', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const store = await openDeliveryStore({
        source: { databaseUrl: test.databaseUrl },
        log: silentLog,
      })
      store.onAnnounce('snapshots', () => {})
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
      await expect(store.close()).resolves.toBeUndefined()
    }
  })

  it('reaches listeners again after the listening connection was cut', async () => {
    const heard = vi.fn<() => void>()
    const stop = other.onAnnounce('snapshots', heard)
    await test.asOwner(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'`)
    // Woken without an announcement: one may have been missed.
    await expect.poll(() => heard.mock.calls.length).toBeGreaterThanOrEqual(1)
    heard.mockClear()
    test.store.announce('snapshots')
    await expect.poll(() => heard.mock.calls.length).toBeGreaterThanOrEqual(1)
    stop()
  })
})
