import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../crypto/ids.ts'
import {
  openTestDelivery,
  testSnapshot,
  type TestDelivery,
  type TestDeliveryOptions,
} from './testing/test-delivery.ts'

let test: TestDelivery

/** Opens another one in the place of that which each test begins with. */
async function open(options?: TestDeliveryOptions): Promise<void> {
  await test.close()
  test = await openTestDelivery(options)
}

beforeEach(async () => {
  test = await openTestDelivery()
  await test.publish(values)
})
afterEach(() => test.close())

const values = {
  public: { apiUrl: 'https://api.example.com' },
  featureFlags: { newCheckout: true },
  flagSources: { newCheckout: 'set', oldCheckout: 'missing' },
  secret: { stripeKey: 'sk_live_canary' },
} as const

const read = '/organizations/acme/config/values'

describe('values read by names', () => {
  it('are those of the audience, without tiers', async () => {
    await test.publish(values, 'server')
    const where = { environment: 'production', schema: 'web' }
    const browser = await test.ask(`${read}?environment=production`, test.addKey('b2m'))
    const server = await test.ask(`${read}?environment=production`, test.addKey('m2m'))
    const shown = { ...values.public, ...values.featureFlags }
    expect(browser.json()).toEqual({ values: shown, ...where, version: 1 })
    expect(server.json()).toEqual({ values: { ...shown, ...values.secret }, ...where, version: 2 })
    expect(browser.headers['cache-control']).toBe('public, no-cache, stale-if-error=86400')
    expect(server.headers['cache-control']).toBe('private, no-store')
    for (const { headers } of [browser, server]) expect(headers.etag).toMatch(/^"[^"]+"$/)
  })

  it('accept the organization, the environment and the schema by id or by name', async () => {
    const key = test.addKey('b2m')
    const { orgId, environmentId, schemaId } = testSnapshot
    for (const path of [
      `/organizations/${orgId}/config/values?environment=${environmentId}&schema=${schemaId}`,
      `/organizations/acme/config/values?environment=PRODUCTION&schema=Web`,
      `/organizations/acme/config/values?environment=production&schema=`,
    ]) {
      expect([path, (await test.ask(path, key)).status]).toEqual([path, 200])
    }
    for (const path of [
      `${read}?environment=staging`,
      `${read}?environment=production&schema=mobile`,
      '/organizations/nobody/config/values?environment=production',
    ]) {
      expect([path, (await test.ask(path, key)).status]).toEqual([path, 404])
    }
    const without = await test.ask(read, key)
    expect([without.status, without.json()]).toMatchObject([400, { code: 'invalid_query' }])
  })

  it('require a schema when there are several, and list those the key may read', async () => {
    const mobile = newId('sch', new Date(1))
    const hidden = newId('sch', new Date(2))
    await test.publish({ ...values, schemaId: mobile, schema: 'mobile' })
    await test.publish({ ...values, schemaId: hidden, schema: 'hidden' })
    const path = `${read}?environment=production`
    const two = await test.ask(
      path,
      test.addKey('b2m', { schemaIds: [testSnapshot.schemaId, mobile] }),
    )
    expect([two.status, two.json()]).toMatchObject([
      400,
      { code: 'schema_required', schemas: ['mobile', 'web'] },
    ])
    expect(two.text).not.toContain('hidden')
    const one = await test.ask(path, test.addKey('m2m', { schemaIds: [mobile] }))
    expect(one.json()).toMatchObject({ schema: 'mobile' })
    const named = await test.ask(`${path}&schema=mobile`, test.addKey('b2m'))
    expect(named.json()).toMatchObject({ schema: 'mobile' })
  })

  it('follow a rename', async () => {
    await test.publish({ ...values, environment: 'live' })
    const key = test.addKey('b2m')
    expect((await test.ask(`${read}?environment=live`, key)).status).toBe(200)
    expect((await test.ask(`${read}?environment=production`, key)).status).toBe(404)
  })
})

describe('values read as environment variables', () => {
  const variables = `${read}?environment=production&names=variables`
  const many = {
    public: { apiUrl: 'https://api.example.com', 'retry.max-count': 3, empty: '' },
    featureFlags: { newCheckout: true },
    flagSources: { newCheckout: 'set' },
    secret: { stripeKey: 'sk_live_canary', pem: 'a\n"b"\u00e9' },
  } as const

  it('are one flat object of strings, of the audience alone', async () => {
    await test.publish(many)
    await test.publish(many, 'server')
    const shown = {
      API_URL: 'https://api.example.com',
      RETRY_MAX_COUNT: '3',
      EMPTY: '',
      NEW_CHECKOUT: 'true',
    }
    const secret = { STRIPE_KEY: 'sk_live_canary', PEM: many.secret.pem }
    const [browserKey, serverKey] = [test.addKey('b2m'), test.addKey('m2m')]
    expect((await test.ask(variables, browserKey)).json()).toEqual(shown)
    expect((await test.ask(variables, serverKey)).json()).toEqual({ ...shown, ...secret })
    const onlySecrets = `${variables}&only=secrets`
    expect((await test.ask(onlySecrets, serverKey)).json()).toEqual(secret)
    const refused = await test.ask(onlySecrets, browserKey)
    expect([refused.status, refused.json()]).toMatchObject([403, { code: 'key_kind_forbidden' }])
  })

  it('have the names that the definition declares', async () => {
    const declared = { apiUrl: 'Api__Url', stripeKey: 'stripe.key' }
    const { featureFlags: _, flagSources: __, ...values } = many
    await test.publish({ ...values, featureFlags: {}, variables: { apiUrl: 'Api__Url' } })
    await test.publish({ ...values, featureFlags: {}, variables: declared }, 'server')
    const shown = { Api__Url: 'https://api.example.com', RETRY_MAX_COUNT: '3', EMPTY: '' }
    expect((await test.ask(variables, test.addKey('b2m'))).json()).toEqual(shown)
    const all = (await test.ask(variables, test.addKey('m2m'))).json()
    expect(all).toEqual({ ...shown, 'stripe.key': 'sk_live_canary', PEM: many.secret.pem })
  })

  it('have an ETag of their own, and answer 304 to it alone', async () => {
    await test.publish(many)
    await test.publish(many, 'server')
    for (const kind of ['b2m', 'm2m'] as const) {
      const key = test.addKey(kind)
      const etags = new Set<string>()
      const paths = [`${read}?environment=production`, variables]
      if (kind === 'm2m') paths.push(`${variables}&only=secrets`)
      for (const path of paths) {
        const etag = String((await test.ask(path, key)).headers.etag)
        etags.add(etag)
        for (const other of paths) {
          const headers = { ...key.headers, 'if-none-match': etag }
          expect((await test.ask(other, { headers })).status).toBe(other === path ? 304 : 200)
        }
      }
      expect(etags.size).toBe(paths.length)
    }
  })

  it('are refused where two keys become one variable, naming the keys and no value', async () => {
    const rejections = [
      [{ public: { apiUrl: 'x', 'api.url': 'y' }, secret: {} }, ['apiUrl and api.url', 'API_URL']],
      [{ public: { apiUrl: 'x' }, secret: { 'api.url': 'canary' } }, ['api.url', 'API_URL']],
    ] as const
    const key = test.addKey('m2m')
    for (const [values, words] of rejections) {
      await test.publish({ featureFlags: {}, ...values }, 'server')
      const answer = await test.ask(variables, key)
      expect([answer.status, answer.json()]).toMatchObject([422, { code: 'unusable_variable' }])
      for (const word of words) expect(answer.text).toContain(word)
      expect(answer.text).not.toContain('canary')
      const headers = { ...key.headers, 'if-none-match': '*' }
      expect((await test.ask(variables, { headers })).status).toBe(422)
    }
  })

  it('leave out by name what may not become a variable, serve the rest, and name no secret to a browser key', async () => {
    const values = {
      public: { apiUrl: 'https://api', npmConfigRegistry: 'canary' },
      featureFlags: {},
      secret: { stripeKey: 'sk', ldPreload: 'canary', viteToken: 'canary', nul: 'canary\0' },
    }
    await test.publish(values)
    await test.publish(values, 'server')
    const leftOut = ['NPM_CONFIG_REGISTRY', 'LD_PRELOAD', 'VITE_TOKEN', 'NUL']
    const cases = [
      ['m2m', variables, { API_URL: 'https://api', STRIPE_KEY: 'sk' }, leftOut],
      ['m2m', `${variables}&only=secrets`, { STRIPE_KEY: 'sk' }, leftOut.slice(1)],
      ['b2m', variables, { API_URL: 'https://api' }, leftOut.slice(0, 1)],
    ] as const
    for (const [kind, path, served, names] of cases) {
      const answer = await test.ask(path, test.addKey(kind))
      expect([answer.status, answer.json()]).toEqual([200, served])
      expect(answer.headers['signalbox-left-out']).toBe(names.join(', '))
    }
  })

  it('refuse words that are not known', async () => {
    const key = test.addKey('b2m')
    for (const query of ['names=env', 'names=variables&only=flags', 'only=secrets']) {
      const answer = await test.ask(`${read}?environment=production&${query}`, key)
      expect([query, answer.json()]).toMatchObject([query, { code: 'invalid_query' }])
    }
  })
})

describe('a snapshot read by names', () => {
  const named = '/organizations/acme/config/snapshot?environment=production'

  it('equals the one that is read by ids, byte for byte, with its ETag', async () => {
    await test.publish(values, 'server')
    for (const kind of ['b2m', 'm2m'] as const) {
      const key = test.addKey(kind)
      const byNames = await test.ask(named, key)
      const byIds = await test.ask(
        `/snapshots/${testSnapshot.schemaId}/${testSnapshot.environmentId}`,
        key,
      )
      expect(byNames.status).toBe(200)
      expect(byNames.text).toBe(byIds.text)
      expect(byNames.headers.etag).toBe(byIds.headers.etag)
      expect(byNames.headers['cache-control']).toBe(byIds.headers['cache-control'])
    }
  })
})

describe('one value', () => {
  const one = (key: string) => `${read}/${key}?environment=production`

  it('comes with its tier and version', async () => {
    const browser = test.addKey('b2m')
    expect((await test.ask(one('apiUrl'), browser)).json()).toEqual({
      key: 'apiUrl',
      value: 'https://api.example.com',
      tier: 'public',
      version: 1,
    })
    expect((await test.ask(one('newCheckout'), browser)).json()).toMatchObject({
      tier: 'featureFlags',
      value: true,
    })
    expect((await test.ask(one('stripeKey'), test.addKey('m2m'))).json()).toMatchObject({
      tier: 'secret',
      value: 'sk_live_canary',
    })
  })

  it("of a secret's name is, for a browser key, what an absent name is", async () => {
    const key = test.addKey('b2m')
    const shown = async (name: string) => {
      const { status, headers, text } = await test.ask(one(name), key)
      const { date: _, 'x-request-id': id, ...others } = headers
      return { status, others, text: text.replaceAll(String(id), 'req') }
    }
    const secret = await shown('stripeKey')
    expect(secret.status).toBe(404)
    for (const name of ['absentKey', 'toString', '__proto__', 'constructor', '%F0%9F%92%A9']) {
      expect(await shown(name)).toEqual(secret)
    }
  })
})

describe('a person', () => {
  it('gets the public values, in an answer that no cache stores', async () => {
    const person = {
      credentialId: 'pat_1',
      mayReadOrganization: (id: string) => id === testSnapshot.orgId,
      isCurrent: () => true,
    }
    await open({ deps: { authenticatePerson: async () => person } })
    await test.publish(values)
    const headers = { authorization: 'Bearer some-session-or-token' }
    const answer = await test.ask(`${read}?environment=production`, { headers })
    expect(answer.json()).toMatchObject({ values: { apiUrl: 'https://api.example.com' } })
    expect(answer.text).not.toContain('stripeKey')
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    const other = await test.ask('/organizations/other/config/values?environment=x', { headers })
    expect(other.status).toBe(404)
  })

  it('is refused with advice in a process that knows no people', async () => {
    const headers = { authorization: 'Bearer some-session-or-token' }
    const answer = await test.ask(`${read}?environment=production`, { headers })
    expect([answer.status, answer.json()]).toMatchObject([401, { code: 'invalid_credentials' }])
    expect(answer.text).toContain('API keys')
  })
})
