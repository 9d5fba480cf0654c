import { describe, expect, it } from 'vitest'
import { bundleWithEsbuild } from '../testing/bundle.ts'
import { createConfigClient } from './browser-development.ts'
import { ConfigError, createPageCore } from './page-development.ts'

const values = { version: 1, public: { apiUrl: 'https://a.example' }, featureFlags: {} }

/** Returns the core of a page whose requests are answered with `status`. */
function open(status: number, options: object = {}) {
  const answer = {
    ok: false,
    status,
    headers: new Headers(),
    body: undefined,
    json: async () => ({}),
  }
  return createPageCore({
    serverUrl: 'https://config.example.com',
    token: 'sbx_b2m_x',
    schemaId: 'sch_x',
    environmentId: 'env_x',
    refresh: false,
    persist: false,
    fetch: async () => answer,
    ...options,
  })
}

describe('a page that is developed', () => {
  it.each([
    [400, 'unauthorized', /browser key, sbx_b2m_/],
    [401, 'unauthorized', /browser key, sbx_b2m_/],
    [403, 'forbidden', /may read this schema/],
    [404, 'not_found', /no such organization, environment or schema/],
    [503, 'unreachable', /is not responding/],
  ] as const)('is told in a sentence what an answer %s means', async (status, code, sentence) => {
    const core = open(status)
    await core.ready()
    expect(core.status.error).toBeInstanceOf(ConfigError)
    expect(core.status.error).toMatchObject({ name: 'ConfigError', code })
    expect(core.status.error?.message).toMatch(sentence)
    core.close()
  })

  it('is told which key it may have meant', () => {
    const core = open(503, { initialValues: values })
    expect(() => core.snapshot().get('apiUlr')).toThrow(
      /^No value for apiUlr, near apiUrl\. Declare/,
    )
  })

  it('is told at a read of rules that the server decides, and what asks it', () => {
    const client = createConfigClient({
      serverUrl: 'https://config.example.com',
      token: 'sbx_b2m_x',
      schemaId: 'sch_x',
      environmentId: 'env_x',
      persist: false,
      fetch: () => Promise.reject(new Error('gone')),
    })
    for (const reads of [client, client.snapshot()]) {
      for (const read of ['value', 'variant']) {
        expect(() => Reflect.get(reads, read)('apiUrl', {})).toThrow(
          expect.objectContaining({
            code: 'forbidden',
            message: expect.stringContaining(`${read}() decides by rules`),
            hint: expect.stringMatching(/useValueFor.*@signalbox\/react\/context.*OFREP/),
          }),
        )
      }
    }
    expect(client.snapshot()).toBe(client.snapshot())
    client.close()
  })

  it.each(['client', 'page'])(
    'is given the sentences by %s, and a published one is not',
    async (entry) => {
      const code = `export * from '@signalbox/config/${entry}'`
      expect(await bundleWithEsbuild(code, [], ['development'])).toContain(
        'Check that it is running',
      )
      expect(await bundleWithEsbuild(code)).not.toContain('Check that it is running')
    },
  )

  it('is told why a server key is refused', () => {
    expect(() => open(200, { token: 'sbx_m2m_x' })).toThrow(/needs a browser key/)
  })
})
