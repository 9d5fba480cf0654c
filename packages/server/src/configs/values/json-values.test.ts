import { limits, type SchemaDefinition } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let schemaId: string
let staging: string
let production: string

const canary = 'canary-nobody-reads'
const constraints = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 50 },
    plans: { type: 'array', items: { type: 'string', minLength: 2 }, maxItems: 3 },
  },
  required: ['limit'],
  additionalProperties: false,
}
const schema = {
  banner: { type: 'json', tier: 'public', targeted: true, constraints },
  account: { type: 'json', tier: 'secret', constraints },
  free: { type: 'json', tier: 'public' },
  word: { type: 'string', tier: 'public' },
} satisfies SchemaDefinition
const banner = { limit: 5, plans: ['pro'] }
const everyone = (value: unknown) => [{ when: [], serve: { value } }]

beforeAll(async () => {
  app = await openConfigApp()
  staging = await app.addEnvironment('staging')
  production = await app.addEnvironment('production')
})
afterAll(() => app.close())

let run = 0
beforeEach(async () => {
  run += 1
  schemaId = await app.addSchema(`api${run}`, schema)
})

const set = (environmentId: string, values: object, body: object = {}) =>
  app.call('m2m', 'PUT /config-values', { body: { schemaId, environmentId, values, ...body } })
const read = async (environmentId: string, as = 'm2m') =>
  (await app.ok(as, `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`)).body
const versions = async (environmentId: string) =>
  (
    await app.ok(
      'viewer',
      `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}`,
    )
  ).body.items
const importBanner = (value: unknown, dryRun = false) =>
  app.ok('developer', 'POST /config-imports', {
    body: {
      schema: `api${run}`,
      dryRun,
      update: ['banner'],
      document: {
        format: 'signalbox-import/1',
        source: 'launchdarkly',
        leftOut: [],
        keys: [
          {
            key: 'banner',
            from: 'banner',
            type: 'json',
            tier: 'public',
            verdict: 'exact',
            values: [{ environment: 'production', value }],
            issues: [],
          },
        ],
      },
    },
  })

describe('a JSON value', () => {
  it('is read as it was written, by people, servers and browsers', async () => {
    expect((await set(production, { banner, account: banner, free: [1, null] })).status).toBe(200)
    const { values } = await read(production)
    expect(values.banner).toMatchObject({ value: banner, type: 'json', source: 'set' })
    expect(values.account.value).toEqual(banner)
    expect(values.free.value).toEqual([1, null])
    const browser = await read(production, 'b2m')
    expect(browser.values.banner.value).toEqual(banner)
    expect(browser.values).not.toHaveProperty('account')
  })

  it('is no change when its members come in another order, open or secret', async () => {
    const nested = { limit: 5, plans: ['pro'] }
    await set(production, {
      banner: nested,
      account: nested,
      free: { z: { b: 1, a: 2 }, 10: 1, 9: 1 },
    })
    const before = await read(production)
    const reordered = { plans: ['pro'], limit: 5 }
    const again = await set(production, {
      account: reordered,
      banner: reordered,
      free: { 9: 1, 10: 1, z: { a: 2, b: 1 } },
    })
    expect(again.body.version).toBe(before.version)
    const rules = { banner: everyone({ plans: [], limit: 2 }) }
    const ruled = await set(production, {}, { rules })
    const same = { banner: everyone({ limit: 2, plans: [] }) }
    expect((await set(production, {}, { rules: same })).body.version).toBe(ruled.body.version)
    // The order of a list is its value.
    await set(production, { free: [1, 2] })
    const { version } = await read(production)
    expect((await set(production, { free: [2, 1] })).body.version).toBe(version + 1)
  })

  it('stays the same value through promotion, restore and a change of its tier', async () => {
    await set(staging, { banner, account: banner })
    const body = { schemaId, fromEnvironmentId: staging, toEnvironmentId: production }
    await app.ok('developer', 'POST /config-values/promote', {
      body: { ...body, include: ['secret'] },
    })
    expect((await read(production)).values.account.value).toEqual(banner)
    const again = await app.ok('developer', 'POST /config-values/promote', {
      body: { ...body, include: ['secret'] },
    })
    expect(again.body).toMatchObject({ changes: [], version: null })
    const [first] = await versions(production)
    await set(production, { banner: { limit: 9 } })
    const [changed] = await versions(production)
    expect(changed.changes).toMatchObject([{ key: 'banner', before: banner, after: { limit: 9 } }])
    await app.ok('developer', `POST /config-versions/${first.id}/restore`, { body: {} })
    expect((await read(production)).values.banner.value).toEqual(banner)
    const put = (tier: 'public' | 'secret') =>
      app.ok('developer', `PUT /config-schemas/${schemaId}`, {
        body: {
          schema: { ...schema, banner: { ...schema.banner, tier, targeted: tier === 'public' } },
          force: true,
          exposeKeys: ['banner'],
        },
      })
    await put('secret')
    expect((await read(production)).values.banner.value).toEqual(banner)
    expect((await read(production, 'b2m')).values).not.toHaveProperty('banner')
    await put('public')
    expect((await read(production, 'b2m')).values.banner.value).toEqual(banner)
  })

  it('is compared with what is stored when an answer is sent back', async () => {
    await set(production, { banner, account: banner })
    const { values, version } = await read(production)
    const again = await set(production, values)
    expect([again.status, again.body.version]).toEqual([200, version])
    const edited = { ...values, banner: { ...values.banner, value: { limit: 6 } } }
    expect((await set(production, edited)).body.version).toBe(version + 1)
    expect((await read(production)).values.banner.value).toEqual({ limit: 6 })
    // An object with a member of an entry is a value.
    await set(production, { free: { value: 1, type: 'json' } })
    expect((await read(production)).values.free.value).toEqual({ value: 1, type: 'json' })
  })

  it('may have 64 KiB of text without spaces, and no byte more', async () => {
    const half = (limits.valueBytes - '["a",""]'.length) / 2
    const fits = ['a', 'ä'.repeat(half)]
    expect(Buffer.byteLength(JSON.stringify(fits))).toBe(limits.valueBytes)
    expect((await set(production, { free: fits })).status).toBe(200)
    const before = await read(production)
    const refused = await set(production, { free: ['aa', fits[1]] })
    expect(refused.body).toMatchObject({
      status: 413,
      errors: [{ pointer: '/values/free', code: 'value_too_large' }],
    })
    expect(await read(production)).toEqual(before)
  })

  it('never reaches a browser key, nor an answer or the log of a refusal, when it is a secret', async () => {
    const secret = { limit: 5, plans: [canary] }
    await set(production, { account: secret, banner })
    const rows = await app.test.asOwner<{ body: string }>(
      'select body from browser_snapshots where schema_id = $1 union all select body from server_snapshots where schema_id = $1 union all select open_values::text || secret_values::text from current_values where schema_id = $1',
      [schemaId],
    )
    expect(rows.length).toBeGreaterThan(2)
    expect(JSON.stringify(rows)).not.toContain(canary)
    expect(JSON.stringify(await read(production, 'b2m'))).not.toContain(canary)
    expect(JSON.stringify(await read(production, 'viewer'))).not.toContain(canary)
    // The names of members that the schema does not declare are a part of the secret.
    const refused = await set(production, { account: { limit: 5, [canary]: 1 } })
    expect(refused.body.errors).toMatchObject([{ pointer: '/values/account' }])
    expect(refused.text).not.toContain(canary)
  })
})

describe('an invalid JSON value is refused with its place, and nothing is stored', () => {
  const deep = (levels: number): unknown => (levels === 0 ? [] : { a: deep(levels - 1) })
  it.each<[string, unknown, string, string]>([
    ['a text', 'text', '', 'type_mismatch'],
    ['null', null, '', 'type_mismatch'],
    ['a list instead of an object', [], '', 'schema_violation'],
    ['a missing member', {}, '', 'schema_violation'],
    ['a member that is not declared', { limit: 5, color: 'red' }, '/color', 'schema_violation'],
    ['a text in a number', { limit: '5' }, '/limit', 'schema_violation'],
    ['a number out of its range', { limit: 51 }, '/limit', 'schema_violation'],
    [
      'an item that is too short',
      { limit: 5, plans: ['pro', 'x'] },
      '/plans/1',
      'schema_violation',
    ],
    ['too many items', { limit: 5, plans: ['aa', 'bb', 'cc', 'dd'] }, '/plans', 'schema_violation'],
    [
      'levels without end',
      deep(limits.valueDepth + 1),
      '/a'.repeat(limits.valueDepth + 1),
      'too_deep',
    ],
  ])('%s', async (_, value, place, code) => {
    await set(staging, { banner })
    await set(production, { banner })
    const before = [
      await read(staging),
      await read(production),
      (await versions(production)).length,
    ]
    const send = async (request: string, body: object) =>
      (await app.call('developer', request, { body })).body.errors
    const target = { schemaId, environmentId: production }
    expect(
      await send('PUT /config-values', { ...target, values: { banner: value } }),
    ).toMatchObject([{ pointer: `/values/banner${place}`, code }])
    const change = { environmentId: production, set: { banner: value } }
    expect(await send('POST /config-changes', { schemaId, changes: [change] })).toMatchObject([
      { pointer: `/changes/0/set/banner${place}`, code },
    ])
    expect(
      await send('PUT /config-values', {
        ...target,
        values: {},
        rules: { banner: everyone(value) },
      }),
    ).toMatchObject([
      value === null
        ? { pointer: '/rules/banner/0/serve' }
        : { pointer: `/rules/banner/0/serve/value${place}`, code },
    ])
    const ofDefault = { schema: { ...schema, banner: { ...schema.banner, default: value } } }
    const [atDefault] = await send(`PUT /config-schemas/${schemaId}`, ofDefault)
    expect(atDefault.pointer).toBe(`/schema/banner/default${place}`)
    const { keys, counts } = (await importBanner(value ?? 'none')).body
    expect(counts).toMatchObject({ failed: 1, update: 0 })
    expect(keys[0].problems).toHaveLength(1)
    expect([
      await read(staging),
      await read(production),
      (await versions(production)).length,
    ]).toEqual(before)
  })

  it('when a promotion or a restore brings it back after the schema has narrowed', async () => {
    await set(staging, { banner: { limit: 50 } })
    await set(production, { banner })
    const [wide] = await versions(staging)
    await set(staging, { banner })
    await set(staging, { banner: { limit: 50 } })
    const narrow = {
      ...schema,
      banner: { ...schema.banner, constraints: { properties: { limit: { maximum: 20 } } } },
    }
    const put = `PUT /config-schemas/${schemaId}`
    expect((await app.call('developer', put, { body: { schema: narrow } })).status).toBe(409)
    await app.ok('developer', put, { body: { schema: narrow, force: true } })
    const before = await read(production)
    const promoted = await app.call('developer', 'POST /config-values/promote', {
      body: {
        schemaId,
        fromEnvironmentId: staging,
        toEnvironmentId: production,
        keys: ['banner'],
      },
    })
    expect(promoted.body.errors).toMatchObject([{ pointer: '/keys/0', code: 'schema_violation' }])
    const restored = await app.call('developer', `POST /config-versions/${wide.id}/restore`, {
      body: {},
    })
    expect(restored.body.errors).toMatchObject([
      { pointer: '/banner/limit', code: 'schema_violation' },
    ])
    expect(await read(production)).toEqual(before)
  })
})

it('a trial run names the key of a part that is wrong, and of what a rule serves', async () => {
  const send = async (change: object) =>
    (
      await app.ok('developer', 'POST /config-changes', {
        body: { schemaId, dryRun: true, changes: [{ environmentId: production, ...change }] },
      })
    ).body.problems
  const wide = { limit: 51 }
  expect(await send({ set: { banner: wide } })).toMatchObject([
    { key: 'banner', pointer: '/changes/0/set/banner/limit' },
  ])
  expect(await send({ set: { banner }, rules: { banner: everyone(wide) } })).toMatchObject([
    { key: 'banner', pointer: '/changes/0/rules/banner/0/serve/value/limit' },
  ])
})

describe('a schema of a JSON key', () => {
  const put = (changed: SchemaDefinition[string]) =>
    app.call('developer', `PUT /config-schemas/${schemaId}`, {
      body: { schema: { ...schema, k: changed } },
    })
  const patterned = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`m${index}`, { type: 'string' }]),
  )
  it.each<[string, SchemaDefinition[string], string, string]>([
    ['a flag', { type: 'json', tier: 'featureFlags' }, '/tier', 'tier_mismatch'],
    [
      'an unknown keyword in a part',
      { type: 'json', constraints: { properties: { a: { minLenght: 1 } } } },
      '/constraints/properties/a/minLenght',
      'unknown_field',
    ],
    [
      'a pattern of a name that takes exponential time',
      { type: 'json', constraints: { patternProperties: { '(?=a)': true } } },
      '/constraints/patternProperties/(?=a)',
      'validation_failed',
    ],
    [
      'an unknown type of a part',
      { type: 'json', constraints: { items: { type: 'date' } } },
      '/constraints/items/type',
      'validation_failed',
    ],
    [
      'bounds that nothing meets',
      { type: 'json', constraints: { items: { minItems: 2, maxItems: 1 } } },
      '/constraints/items/minItems',
      'validation_failed',
    ],
    [
      'more parts than the server checks',
      { type: 'json', constraints: { properties: patterned } },
      '/constraints',
      'validation_failed',
    ],
    [
      'a keyword of JSON on a text',
      { type: 'string', constraints: { properties: {} } },
      '/constraints/properties',
      'unknown_field',
    ],
  ])('may not have %s', async (_, definition, place, code) => {
    const { status, body } = await put(definition)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ pointer: `/schema/k${place}`, code }])
  })

  it('refuses a value that would take too long to check', async () => {
    const schemaOf = { items: { pattern: '^(?:[a-z0-9]{0,20}-){20}$' } }
    expect((await put({ type: 'json', tier: 'public', constraints: schemaOf })).status).toBe(200)
    const { body } = await set(production, {
      k: Array.from({ length: 50 }, () => 'a'.repeat(1000)),
    })
    expect(body.errors).toMatchObject([{ pointer: '/values/k', code: 'schema_violation' }])
    expect(body.errors[0].detail).toContain('Shorten the value')
  })
})
