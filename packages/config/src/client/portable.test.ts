import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  environmentId,
  schemaId,
  serverKey,
  startSnapshotServer,
} from '../testing/snapshot-server.ts'
import { createConfigClient } from './portable.ts'

const location = { token: serverKey, schemaId, environmentId }

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the client on a platform that is neither a browser nor Node', () => {
  it('reads and hears of changes with fetch alone', async () => {
    const server = await startSnapshotServer()
    const client = createConfigClient({ ...location, serverUrl: server.url })
    expect(await client.get('stripeKey')).toBe('sk_canary')
    await expect.poll(() => server.openStreams()).toBe(1)
    server.publish({ public: { pageSize: 1 } })
    await expect.poll(() => client.snapshot().get('pageSize')).toBe(1)
    client.close()
    await server.stop()
  })

  it('keeps a copy in the storage it is given, and refuses to persist without one', async () => {
    const server = await startSnapshotServer()
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    }
    const client = createConfigClient({
      ...location,
      serverUrl: server.url,
      storage,
      refresh: false,
    })
    await client.ready()
    client.close()
    await server.stop()
    const again = createConfigClient({
      ...location,
      serverUrl: server.url,
      storage,
      refresh: false,
    })
    expect(again.snapshot().get('pageSize')).toBe(20)
    again.close()
    expect(() => createConfigClient({ ...location, serverUrl: '', persist: true })).toThrow(
      /no storage for persist/,
    )
  })

  it('refuses a secret token where there is a document', () => {
    vi.stubGlobal('document', {})
    expect(() => createConfigClient({ ...location, serverUrl: '' })).toThrow(/Secret token/)
  })
})
