import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  browserKey,
  environment,
  environmentId,
  orgId,
  schemaId,
  serverKey,
  startSnapshotServer,
  type SnapshotServer,
} from '../../../config/src/testing/snapshot-server.ts'
import { defineConfig, optional, string, type AnyConfig } from '@signalbox/config'
import type { ConfigError } from '@signalbox/config/client'
import { configTag, getConfig, getServerConfig, type FetchOptions } from '../server.ts'

let server: SnapshotServer
beforeEach(async () => {
  server = await startSnapshotServer()
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await server.stop()
})

const configSource = () => ({ baseUrl: server.url, environment, orgId, apiKey: browserKey })

/** Returns what `fetch` was called with. */
async function initOf(fetchOptions?: FetchOptions): Promise<unknown> {
  const spy = vi.spyOn(globalThis, 'fetch')
  await getConfig({ ...configSource(), fetchOptions })
  return spy.mock.calls[0]?.[1]
}

const tags = ['config', 'config:acme:production']

describe('getConfig', () => {
  it('answers plain data with the ids that a browser goes on with', async () => {
    const found = await getConfig(configSource())
    expect(found).toEqual({
      version: 1,
      schemaId,
      environmentId,
      fetchedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      public: { apiUrl: 'https://a.example', pageSize: 20 },
      featureFlags: { newCheckout: false },
      status: { source: 'network', stale: false },
    })
    expect(structuredClone(found)).toEqual(found)
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype)
  })

  it('sends no header of its own, no body and no signal: Next.js shares such requests', async () => {
    expect(await initOf()).toEqual({ next: { revalidate: 60, tags } })
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it.each<[string, FetchOptions, object]>([
    ['a time of its own', { next: { revalidate: 5 } }, { next: { revalidate: 5, tags } }],
    ['further tags', { next: { tags: ['a'] } }, { next: { revalidate: 60, tags: [...tags, 'a'] } }],
    ['no time', { next: { revalidate: false } }, { next: { revalidate: false, tags } }],
    ['no cache', { cache: 'no-store' }, { cache: 'no-store', next: { tags } }],
    [
      'no cache and a time, which contradict each other',
      { cache: 'no-store', next: { revalidate: 5 } },
      { cache: 'no-store', next: { tags } },
    ],
    [
      'the cache for ever',
      { cache: 'force-cache' },
      { cache: 'force-cache', next: { revalidate: 60, tags } },
    ],
  ])('takes from the caller %s', async (_, given, wanted) => {
    expect(await initOf(given)).toEqual(wanted)
  })

  it('takes what is left out from the environment', async () => {
    vi.stubEnv('SIGNALBOX_CONFIG_URL', `${server.url}/`)
    vi.stubEnv('SIGNALBOX_ORGANIZATION', orgId)
    vi.stubEnv('SIGNALBOX_BROWSER_KEY', browserKey)
    vi.stubEnv('SIGNALBOX_TOKEN', serverKey)
    expect((await getConfig({ environment })).version).toBe(1)
    expect((await getServerConfig({ environment })).secret.get('stripeKey')).toBe('sk_canary')
  })

  it.each(['baseUrl', 'orgId', 'apiKey', 'environment'])(
    'says what is missing: %s',
    async (name) => {
      await expect(getConfig({ ...configSource(), [name]: '' })).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(`The option ${name} is empty, and SIGNALBOX_`),
      })
    },
  )

  it('refuses a key that reads secrets before it asks: Next.js would keep them on its disk', async () => {
    await expect(getConfig({ ...configSource(), apiKey: serverKey })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(server.requests).toEqual([])
  })

  it.each([
    Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' }),
    Object.assign(new Error('Prerender'), { digest: 'HANGING_PROMISE_REJECTION' }),
    { $$typeof: Symbol.for('react.postpone') },
  ])('lets pass what Next.js steers a render with', async (signal) => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(signal)
    await expect(getConfig(configSource())).rejects.toBe(signal)
    await expect(getServerConfig({ ...configSource(), apiKey: serverKey })).rejects.toBe(signal)
  })
})

describe('getServerConfig', () => {
  it('keeps secrets where no log and no JSON finds them', async () => {
    const found = await getServerConfig({ ...configSource(), apiKey: serverKey })
    expect(found.secret.get('stripeKey')).toBe('sk_canary')
    expect(inspect(found, { depth: 9, showHidden: true }) + JSON.stringify(found)).not.toContain(
      'canary',
    )
  })

  it('asks without any cache and with the key in a header', async () => {
    const spy = vi.spyOn(globalThis, 'fetch')
    await getServerConfig({ ...configSource(), apiKey: serverKey })
    expect(spy.mock.calls[0]?.[0]).not.toContain(serverKey)
    expect(spy.mock.calls[0]?.[1]).toMatchObject({
      cache: 'no-store',
      headers: { authorization: `Bearer ${serverKey}` },
    })
  })
})

describe('what the server does not have', () => {
  it.each([
    ['web2', 'There is no schema web2, environment production, organization acme'],
    [undefined, 'There is no environment production, organization acme'],
  ])('is named in the error: schema %s', async (schema, words) => {
    server.behave({ status: 404, detail: 'This doesn’t exist' })
    const errors: string[] = []
    const onError = ({ code, message }: ConfigError) => errors.push(`${code} ${message}`)
    await getConfig({ ...configSource(), schema, onError })
    await getServerConfig({ ...configSource(), apiKey: serverKey, schema, onError })
    const said = `not_found ${words}, or the key belongs to another organization. If the schema is new, run "signalbox push"`
    expect(errors).toEqual([said, said])
  })
})

describe('an optional key without a value', () => {
  const definition = defineConfig({
    public: { note: optional(string()) },
    secret: { proxy: optional(string()) },
  })
  // Reads keys that it does not declare, too.
  const config: AnyConfig = definition

  it('is undefined on the server, and not in what a browser goes on with', async () => {
    const found = await getConfig({ ...configSource(), config })
    expect(Object.keys(found.public)).toEqual(['apiUrl', 'pageSize'])
    const { secret } = await getServerConfig({ ...configSource(), apiKey: serverKey, config })
    expect(secret.get('proxy')).toBeUndefined()
    expect(secret.get('stripeKey')).toBe('sk_canary')
    expect(() => secret.get('unheardOf')).toThrow('No secret unheardOf')
  })
})

describe('the tag of an environment', () => {
  it('is the same however its name is written', () => {
    expect(configTag('Acme', 'Production')).toBe('config:acme:production')
  })
})
