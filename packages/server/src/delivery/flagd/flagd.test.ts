import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openTestDelivery,
  otherOrgId,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'
import type { FlagsOfSnapshot } from '../ofrep/flag-set.ts'
import { renderDefinition } from './render-definition.ts'

let delivery: TestDelivery

const flags = {
  public: { apiUrl: 'https://api.example.com' },
  featureFlags: { darkMode: true, newCheckout: false },
  flagSources: { darkMode: 'inherited', forgotten: 'missing', newCheckout: 'set' },
  flagRules: {
    newCheckout: [
      { when: [{ attribute: 'customer', operator: 'equals', value: 'a-customer' }], serve: true },
      { when: [], serve: { percent: 12.5 } },
    ],
  },
  flagVersions: { darkMode: 1, forgotten: 1, newCheckout: 12 },
  secret: { stripeKey: 'sk_live_canary' },
} as const

beforeEach(async () => {
  delivery = await openTestDelivery()
  await delivery.publish(flags)
})
afterEach(() => delivery.close())

const inVersion = (version: number) => ({ flagSetId: 'web/production', version: String(version) })

const path = '/organizations/acme/config/flagd'
const read = (headers: Record<string, string>, query = 'environment=production') =>
  delivery.ask(`${path}?${query}`, { headers })

describe('the definition for flagd', () => {
  it('has every flag with its value, what is inherited and what is set nowhere too', async () => {
    const answer = await read(delivery.addKey('m2m').headers)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      vary: 'Authorization',
    })
    const variants = { on: true, off: false }
    expect(answer.json()).toEqual({
      $schema: 'https://flagd.dev/schema/v0/flags.json',
      flags: {
        darkMode: { state: 'ENABLED', variants, defaultVariant: 'on', metadata: inVersion(1) },
        forgotten: { state: 'ENABLED', variants, defaultVariant: 'off', metadata: inVersion(1) },
        newCheckout: {
          state: 'ENABLED',
          variants,
          defaultVariant: 'off',
          targeting: { if: [expect.anything(), 'on', true, expect.anything(), null] },
          metadata: inVersion(12),
        },
      },
      metadata: { flagSetId: 'web/production' },
    })
    const { schemaId } = testSnapshot
    const cat = { cat: [`${schemaId}/newCheckout/`, { var: 'targetingKey' }] }
    const fractional = JSON.stringify({ fractional: [cat, ['on', 12_500], ['off', 87_500]] })
    expect(answer.text).toContain(fractional)
    expect(answer.text).not.toContain('sk_live_canary')
    expect(answer.text).not.toContain('api.example.com')
  })

  it('is answered with 304 until a flag changes, whatever else does', async () => {
    const { headers } = delivery.addKey('m2m')
    const { etag = '' } = (await read(headers)).headers
    const held = { ...headers, 'if-none-match': etag }
    expect((await read(held)).status).toBe(304)
    await delivery.publish({ ...flags, secret: { stripeKey: 'another' } }, 'server')
    await delivery.publish({ ...flags, public: { apiUrl: 'https://another.example.com' } })
    expect((await read(held)).status).toBe(304)
    await delivery.publish({ ...flags, flagRules: {} })
    expect((await read(held)).status).toBe(200)
  })

  it('is compressed for whoever accepts it, with a tag of its own', async () => {
    const { headers } = delivery.addKey('m2m')
    const plain = await read(headers)
    const small = await read({ ...headers, 'accept-encoding': 'gzip' })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(small.headers.etag).not.toBe(plain.headers.etag)
    const held = { ...headers, 'if-none-match': String(small.headers.etag) }
    expect((await read(held)).status).toBe(304)
  })

  it('is refused to browser keys in either place, and to keys of elsewhere', async () => {
    const browser = delivery.addKey('b2m')
    for (const answer of [
      await read(browser.headers),
      await delivery.ask(`${path}?environment=production&apiKey=${browser.token}`),
    ]) {
      expect([answer.status, answer.json()]).toEqual([
        403,
        expect.objectContaining({ code: 'key_kind_forbidden' }),
      ])
      expect(answer.text).not.toContain('a-customer')
    }
    const { token } = delivery.addKey('m2m')
    const inUrl = await delivery.ask(`${path}?environment=production&apiKey=${token}`)
    expect([inUrl.status, inUrl.json()]).toMatchObject([400, { code: 'key_in_url' }])
    const elsewhere = delivery.addKey('m2m', { environmentIds: [] })
    expect((await read(elsewhere.headers)).status).toBe(403)
    const foreign = delivery.addKey('m2m', { orgId: otherOrgId })
    expect((await read(foreign.headers)).status).toBe(404)
    expect((await read({})).status).toBe(401)
  })

  it('needs an environment, and a schema where there are several', async () => {
    const { headers } = delivery.addKey('m2m')
    expect((await read(headers, '')).status).toBe(400)
    expect((await read(headers, 'environment=absent')).status).toBe(404)
    const { environment, environmentId } = testSnapshot
    expect((await read(headers, `environment=${environmentId}&schema=web`)).status).toBe(200)
    delivery.publisher.publishBrowser({
      ...testSnapshot,
      schemaId: 'sch_01jd2m4x9k0000000000000009',
      schema: 'api',
    })
    await delivery.delivery.refresh()
    const several = await read(headers)
    expect([several.status, several.json()]).toMatchObject([
      400,
      { code: 'schema_required', schemas: ['api', 'web'] },
    ])
    const empty = await read(headers, `environment=${environment}&schema=api`)
    expect(empty.json()).toMatchObject({ flags: {}, metadata: { flagSetId: 'api/production' } })
    delivery.publisher.remove(testSnapshot)
    await delivery.delivery.refresh()
    expect((await read(headers, 'environment=production&schema=web')).status).toBe(404)
  })

  it('is served without the root key and while the database is away', async () => {
    const { headers } = delivery.addKey('m2m')
    delivery.publisher.setAway(true)
    await delivery.delivery.refresh().catch(() => undefined)
    expect((await read(headers)).status).toBe(200)
    const sealed = await openTestDelivery({ rootKeys: [] })
    try {
      await sealed.publish(flags)
      const key = sealed.addKey('m2m')
      const answer = await sealed.ask(`${path}?environment=production`, key)
      expect(answer.status).toBe(200)
    } finally {
      await sealed.close()
    }
  })
})

describe('what flagd cannot decide as we do', () => {
  const renderKeys = (keys: Pick<FlagsOfSnapshot, 'featureFlags' | 'flagRules' | 'values'>) =>
    JSON.parse(
      renderDefinition({
        ...testSnapshot,
        version: 1,
        flagSources: Object.fromEntries(Object.keys(keys.values).map((key) => [key, 'set'])),
        flagVersions: {},
        ...keys,
      }),
    ) as { flags: Record<string, { metadata?: unknown }>; metadata: { leftOut?: string } }
  const render = (rules: unknown) =>
    renderKeys({
      flagRules: { beta: JSON.stringify(rules) },
      featureFlags: { alpha: true, beta: false },
      values: {},
    })
  const when = (condition: object) => [{ when: [condition], serve: true }]

  it.each([
    ['address.city', when({ attribute: 'address.city', operator: 'exists' })],
    ['constructor', when({ attribute: 'constructor', operator: 'exists' })],
    ['$flagd', when({ attribute: '$flagd', operator: 'exists' })],
    ['account.id', [{ when: [], serve: { percent: 10, by: 'account.id' } }]],
    ['near', when({ attribute: 'city', operator: 'near', value: 1 })],
    [
      'launchdarkly',
      when({
        attribute: 'targetingKey',
        operator: 'share',
        percent: 10,
        deal: { as: 'launchdarkly', key: 'checkout.3fbf2fd5' },
      }),
    ],
  ])('is left out and named: %s', (name, rules) => {
    const { flags: compiled, metadata } = render(rules)
    expect(Object.keys(compiled)).toEqual(['alpha'])
    expect(metadata.leftOut).toMatch(/^beta: flagd /)
    expect(metadata.leftOut).toContain(name)
  })

  it.each([
    ['its value', ['de', 'at'], []],
    ['what a rule serves', { only: 'de' }, [{ when: [], serve: { value: ['de', 'at'] } }]],
    [
      'a part of a split',
      { only: 'de' },
      [{ when: [], serve: { split: [{ value: [], percent: 100 }] } }],
    ],
  ])('is a key of lists, left out and named, by %s', (_, value, rules) => {
    const { flags: compiled, metadata } = renderKeys({
      flagRules: { countries: JSON.stringify({ rules }), labels: JSON.stringify({ rules: [] }) },
      featureFlags: {},
      values: { countries: value, labels: { de: ['Neu'] } },
    })
    expect(Object.keys(compiled)).toEqual(['labels'])
    expect(metadata.leftOut).toBe('countries: flagd has objects, and no lists, as values')
  })

  it('is named at a flag that compares versions', () => {
    const { flags: compiled } = render(
      when({ attribute: 'appVersion', operator: 'semver', value: '>=2.1.0' }),
    )
    expect(compiled['beta']?.metadata).toEqual({
      ...inVersion(1),
      differs: 'flagd also takes versions of two numbers, such as 1.2',
    })
  })
})
