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

  it.each([
    ['in a page', 'document', {}],
    ['in a worker of a page', 'navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' }],
    ['in React Native', 'navigator', { product: 'ReactNative' }],
  ])('refuses a secret token %s', (_, name, value) => {
    vi.stubGlobal(name, value)
    expect(() => createConfigClient({ ...location, serverUrl: '' })).toThrow(/Secret token/)
  })

  it.each(['Cloudflare-Workers', 'Deno/2.9.6', 'Bun/1.4.5', undefined])(
    'takes a secret token where the platform calls itself %s',
    async (userAgent) => {
      vi.stubGlobal('navigator', userAgent && { userAgent })
      const server = await startSnapshotServer()
      const client = createConfigClient({ ...location, serverUrl: server.url, refresh: false })
      expect(await client.get('stripeKey')).toBe('sk_canary')
      client.close()
      await server.stop()
    },
  )
})
