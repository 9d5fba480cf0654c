import type { FlagRule, SchemaDefinition, Serve } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let schemaId: string
let staging: string
let production: string

const canary = 'customer-of-whom-nobody-may-know'
const variants = [
  { name: 'control', on: false },
  { name: 'blue', on: true },
]
const schema: SchemaDefinition = {
  maxTokens: {
    type: 'number',
    tier: 'public',
    targeted: true,
    default: 12,
    constraints: { minimum: 1, maximum: 50 },
  },
  model: { type: 'string', tier: 'public', targeted: true },
  beta: { type: 'boolean', tier: 'public', targeted: true },
  apiUrl: { type: 'string', tier: 'public' },
  stripeKey: { type: 'string', tier: 'secret' },
  checkout: { type: 'boolean', variants },
  darkMode: { type: 'boolean' },
}
const values = { maxTokens: 12, model: 'small', beta: false, checkout: false, darkMode: false }
const forCustomer = (serve: Serve): FlagRule[] => [
  { when: [{ attribute: 'customer', operator: 'equals', value: canary }], serve },
]

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

const set = (environmentId: string, body: object) =>
  app.call('developer', 'PUT /config-values', {
    body: { schemaId, environmentId, values, ...body },
  })
const read = async (environmentId: string, as = 'm2m') =>
  (await app.ok(as, `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`)).body
    .values
const versions = async (environmentId: string) =>
  (
    await app.ok(
      'viewer',
      `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}`,
    )
  ).body.items
async function published(table: 'browser' | 'server', environmentId: string) {
  const [row] = await app.test.asOwner<{ body: string }>(
    `select body from ${table}_snapshots where schema_id = $1 and environment_id = $2 order by version desc limit 1`,
    [schemaId, environmentId],
  )
  return row?.body ?? ''
}

describe('rules of targeted keys and of variants', () => {
  const rules = {
    maxTokens: forCustomer({ value: 50 }),
    checkout: forCustomer({ variant: 'blue' }),
  }

  it('reach servers in a member of their own, and no browser key', async () => {
    expect((await set(production, { rules })).status).toBe(200)
    const server = JSON.parse(await published('server', production))
    expect(server.public.maxTokens).toBe(12)
    // A client that knows plain flags alone gets the values of the environment.
    expect(server).not.toHaveProperty('flagRules')
    expect(server.targeting).toMatchObject({
      maxTokens: { rules: rules.maxTokens },
      checkout: { rules: rules.checkout, variants },
    })
    expect(await published('browser', production)).not.toContain(canary)
    expect(JSON.stringify(await read(production, 'b2m'))).not.toContain(canary)
  })

  it('have ids that edits, promotions and restores keep', async () => {
    await set(production, { rules })
    const [first] = (await read(production)).maxTokens.rules
    expect(first.id).toMatch(/^rul_/)
    const [before] = await versions(production)
    // Sent again without its id, in a list with another rule.
    const other: FlagRule = { when: [], serve: { value: 20 } }
    await set(production, { rules: { maxTokens: [...rules.maxTokens, other] } })
    const [same, added] = (await read(production)).maxTokens.rules
    expect(same.id).toBe(first.id)
    expect(added.id).not.toBe(first.id)
    // Edited, and sent with its id.
    await set(production, { rules: { maxTokens: [{ ...first, serve: { value: 40 } }] } })
    expect((await read(production)).maxTokens.rules).toEqual([{ ...first, serve: { value: 40 } }])
    await app.ok('developer', 'POST /config-values/promote', {
      body: {
        schemaId,
        fromEnvironmentId: production,
        toEnvironmentId: staging,
        keys: ['maxTokens'],
      },
    })
    expect((await read(staging)).maxTokens.rules[0].id).toBe(first.id)
    await app.ok('developer', `POST /config-versions/${before.id}/restore`, { body: {} })
    expect((await read(production)).maxTokens.rules).toEqual([first])
  })

  it('make no version when they are sent again without ids', async () => {
    await set(production, { rules })
    const count = (await versions(production)).length
    await set(production, { rules })
    expect(await versions(production)).toHaveLength(count)
  })

  it('leave the history when the key becomes a secret', async () => {
    await set(production, { rules })
    await app.ok('developer', `PUT /config-schemas/${schemaId}`, {
      body: { schema: { maxTokens: { type: 'number', tier: 'secret' } }, force: true },
    })
    const rows = await app.test.asOwner(
      `select 1 from config_versions where schema_id = $1 and flag_rules::text like '%maxTokens%'
       union all select 1 from server_snapshots where schema_id = $1 and body like '%maxTokens":{"rules%'`,
      [schemaId],
    )
    expect(rows).toEqual([])
  })
})

describe('what a rule serves is refused', () => {
  const split = (...percents: number[]) => ({
    split: percents.map((percent, index) => ({ value: index + 1, percent })),
  })
  it.each<[string, string, unknown, string, string]>([
    ['a text of a number', 'maxTokens', { value: '50' }, '/serve/value', 'type_mismatch'],
    ['a number out of its range', 'maxTokens', { value: 51 }, '/serve/value', 'schema_violation'],
    ['a boolean of a number', 'maxTokens', true, '/serve', 'type_mismatch'],
    ['a share of a number', 'maxTokens', { percent: 10 }, '/serve', 'type_mismatch'],
    ['a variant of a number', 'maxTokens', { variant: 'blue' }, '/serve/variant', 'type_mismatch'],
    ['shares of 99%', 'maxTokens', split(50, 49), '/serve/split', 'validation_failed'],
    ['shares of 101%', 'maxTokens', split(50, 51), '/serve/split', 'validation_failed'],
    [
      'a part out of its range',
      'maxTokens',
      { split: [{ value: 0, percent: 100 }] },
      '/serve/split/0/value',
      'schema_violation',
    ],
    ['a split of nothing', 'maxTokens', { split: [] }, '/serve/split', 'validation_failed'],
    ['a bare boolean of a boolean that is no flag', 'beta', true, '/serve', 'type_mismatch'],
    [
      'a variant that is not declared',
      'checkout',
      { variant: 'bleu' },
      '/serve/variant',
      'validation_failed',
    ],
    ['a value of a flag', 'checkout', { value: true }, '/serve/value', 'type_mismatch'],
    [
      'a variant of a flag without any',
      'darkMode',
      { variant: 'blue' },
      '/serve/variant',
      'type_mismatch',
    ],
    [
      'two things at once',
      'maxTokens',
      { value: 2, variant: 'blue' },
      '/serve',
      'validation_failed',
    ],
    ['null', 'maxTokens', { value: null }, '/serve', 'validation_failed'],
  ])('%s', async (...[, key, serve, place, code]) => {
    const before = await read(production)
    const send = async (request: string, body: object) =>
      (await app.call('developer', request, { body })).body
    const rules = { [key]: [{ when: [], serve }] }
    const put = await send('PUT /config-values', {
      schemaId,
      environmentId: production,
      values,
      rules,
    })
    expect(put.errors).toMatchObject([{ pointer: `/rules/${key}/0${place}`, code }])
    const change = { environmentId: production, set: values, rules }
    const changed = await send('POST /config-changes', { schemaId, changes: [change] })
    expect(changed.errors).toMatchObject([{ pointer: `/changes/0/rules/${key}/0${place}`, code }])
    expect(await read(production)).toEqual(before)
  })

  it.each(['apiUrl', 'stripeKey'])('anything of %s, which is not targeted', async (key) => {
    const rules = { [key]: [{ when: [], serve: { value: 'x' } }] }
    const { status, body } = await set(production, { rules, values: { ...values, [key]: 'y' } })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ pointer: `/rules/${key}`, code: 'tier_mismatch' }])
  })

  it('when a promotion or a restore brings it back after the schema has narrowed', async () => {
    await set(staging, { rules: { maxTokens: [{ when: [], serve: { value: 50 } }] } })
    const [ruled] = await versions(staging)
    await set(staging, { rules: { maxTokens: null } })
    const narrow = {
      ...schema,
      maxTokens: { ...schema['maxTokens'], constraints: { maximum: 20 } },
    }
    await app.ok('developer', `PUT /config-schemas/${schemaId}`, { body: { schema: narrow } })
    const restored = await app.call('developer', `POST /config-versions/${ruled.id}/restore`, {
      body: {},
    })
    expect(restored.body.errors).toMatchObject([
      { pointer: '/maxTokens', code: 'schema_violation' },
    ])
  })
})

describe('a schema', () => {
  const put = (changed: SchemaDefinition, more: object = {}) =>
    app.call('developer', `PUT /config-schemas/${schemaId}`, { body: { schema: changed, ...more } })

  it.each<[string, SchemaDefinition, string, string]>([
    [
      'a targeted secret',
      { k: { type: 'string', tier: 'secret', targeted: true } },
      '/schema/k/targeted',
      'tier_mismatch',
    ],
    [
      'a targeted flag',
      { k: { type: 'boolean', targeted: true } },
      '/schema/k/targeted',
      'tier_mismatch',
    ],
    [
      'variants of a public key',
      { k: { type: 'boolean', tier: 'public', variants } },
      '/schema/k/variants',
      'tier_mismatch',
    ],
    [
      'variants that are never off',
      { k: { type: 'boolean', variants: [{ name: 'a', on: true }] } },
      '/schema/k/variants',
      'validation_failed',
    ],
    [
      'a variant without a name',
      { k: { type: 'boolean', variants: [...variants, { name: '', on: true }] } },
      '/schema/k/variants/2/name',
      'validation_failed',
    ],
  ])('does not take %s', async (_, changed, pointer, code) => {
    const { status, body } = await put(changed, { force: true })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ pointer, code }])
  })

  it('that narrows what rules serve would break the environment, and says so', async () => {
    await set(production, { rules: { maxTokens: [{ when: [], serve: { value: 50 } }] } })
    const narrow = {
      ...schema,
      maxTokens: { ...schema['maxTokens'], constraints: { maximum: 20 } },
    } as SchemaDefinition
    const refused = await put(narrow)
    expect(refused.status).toBe(409)
    expect(JSON.stringify(refused.body)).toContain('Rule 1')
  })

  it('that takes a variant away leaves its readers the value of the flag', async () => {
    await set(production, { rules: { checkout: [{ when: [], serve: { variant: 'blue' } }] } })
    const without = [variants[0], { name: 'green', on: true }]
    const changed = {
      ...schema,
      checkout: { type: 'boolean', variants: without },
    } as SchemaDefinition
    expect((await put(changed)).status).toBe(409)
    expect((await put(changed, { force: true })).status).toBe(200)
    expect(JSON.parse(await published('server', production)).targeting.checkout.rules).toEqual([])
  })

  it('shows what is targeted, and its variants, in their order', async () => {
    const { body } = await app.ok('viewer', `GET /config-schemas/${schemaId}`)
    expect(body.schema.maxTokens.targeted).toBe(true)
    expect(body.schema.checkout.variants).toEqual(variants)
    const matrix = await app.ok('viewer', `GET /config-matrix?schemaId=${schemaId}`)
    const keys: { key: string; targeted?: boolean; variants?: object }[] = matrix.body.keys
    expect(keys.find(({ key }) => key === 'model')?.targeted).toBe(true)
    expect(keys.find(({ key }) => key === 'checkout')?.variants).toEqual(variants)
  })
})
