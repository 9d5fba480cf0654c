import type { FlagRule } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let schemaId: string
let base: string
let production: string

const confidential = 'customer-of-whom-nobody-may-know'
const ruleId = (nth: number) => `rul_01jd2m4x9k000000000000000${nth}`
const forPro: FlagRule[] = [
  { id: ruleId(1), when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: true },
  {
    id: ruleId(2),
    when: [{ attribute: 'customer', operator: 'in', values: [confidential] }],
    serve: false,
  },
  { id: ruleId(3), when: [], serve: { percent: 12.5 } },
]

beforeAll(async () => {
  app = await openConfigApp()
  base = await app.addEnvironment('base')
  production = await app.addEnvironment('production', base)
})
afterAll(() => app.close())

let run = 0
beforeEach(async () => {
  run += 1
  schemaId = await app.addSchema(`web${run}`, {
    newCheckout: { type: 'boolean', default: false },
    darkMode: { type: 'boolean' },
    apiUrl: { type: 'string', tier: 'public' },
  })
})

const set = (environmentId: string, body: object, query = '') =>
  app.call('developer', `PUT /config-values${query}`, {
    body: { schemaId, environmentId, values: {}, ...body },
  })
const read = async (as: string, environmentId: string) =>
  (await app.ok(as, `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`)).body
const rulesOf = async (environmentId: string, key = 'newCheckout') =>
  (await read('m2m', environmentId)).values[key].rules
const versions = async (environmentId: string) =>
  (
    await app.ok(
      'viewer',
      `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}`,
    )
  ).body.items

async function published(table: 'browser' | 'server', environmentId: string) {
  const [row] = await app.test.asOwner<{
    version: number
    body: string
    etag: string
    flag_rules?: object
  }>(
    `select * from ${table}_snapshots where schema_id = $1 and environment_id = $2 order by version desc limit 1`,
    [schemaId, environmentId],
  )
  if (row === undefined) throw new Error('Nothing is published')
  return row
}

const give = { values: { newCheckout: false }, rules: { newCheckout: forPro } }

describe('rules on flags', () => {
  it('are stored with the value in one version, and shown to whoever may read the values', async () => {
    const { status, body } = await set(production, { ...give, comment: 'pro first' })
    expect(status).toBe(200)
    expect(body.values.newCheckout).toMatchObject({ value: false, rules: forPro, source: 'set' })
    expect((await read('viewer', production)).values.newCheckout.rules).toEqual(forPro)
    const [latest, first] = await versions(production)
    expect(latest).toMatchObject({ version: 2, comment: 'pro first', kind: 'write' })
    expect(first.version).toBe(1)
    const shown = await app.ok('viewer', `GET /config-versions/${latest.id}`)
    expect(shown.body.changes).toEqual([
      {
        key: 'newCheckout',
        tier: 'featureFlags',
        change: 'changed',
        before: false,
        after: false,
        rulesAfter: forPro,
        sourceBefore: { source: 'default' },
        sourceAfter: { source: 'set' },
      },
    ])
    const events = await app.test.asOwner<{ detail: object }>(
      `select detail from audit_events where action = 'value.set' order by sequence desc limit 1`,
    )
    expect(events).toEqual([
      { detail: { environmentId: production, version: 2, keys: ['newCheckout'] } },
    ])
    expect(JSON.stringify(events)).not.toContain(confidential)
  })

  it('are in the snapshot for servers and in nothing that a browser key reads', async () => {
    const before = await published('browser', production)
    await set(production, give)
    const [browser, server] = [
      await published('browser', production),
      await published('server', production),
    ]
    expect(JSON.parse(server.body).flagRules).toEqual({ newCheckout: forPro })
    expect(JSON.parse(browser.body).featureFlags).toEqual({ newCheckout: false })
    expect(browser.body).not.toContain('flagRules')
    // An evaluation may answer otherwise, so a conditional request must not be answered with 304.
    expect(browser.version).toBe(before.version + 1)
    expect(browser.etag).not.toBe(before.etag)
    const seen = await read('b2m', production)
    expect(JSON.stringify(seen)).not.toContain(confidential)
    expect(seen.values.newCheckout).not.toHaveProperty('rules')
    expect(seen.version).toBe(browser.version)
  })

  it('have a tag that nobody can guess them from', async () => {
    await set(production, give)
    const first = await published('browser', production)
    await set(production, { rules: { newCheckout: null } })
    await set(production, { rules: { newCheckout: forPro } })
    const again = await published('browser', production)
    expect(again.version).toBe(first.version + 2)
    expect(again.etag).not.toBe(first.etag)
  })

  it('stay with a flag whose value is set without them, until they are taken away', async () => {
    await set(production, give)
    await set(production, { values: { newCheckout: true } })
    expect(await rulesOf(production)).toEqual(forPro)
    await set(production, { rules: { newCheckout: [] } })
    expect(await rulesOf(production)).toBeUndefined()
    expect((await read('m2m', production)).values.newCheckout.value).toBe(true)
    expect((await published('server', production)).body).not.toContain('flagRules')
  })

  it('make no version where they say the same in other words', async () => {
    await set(production, give)
    const reordered = [
      { serve: true, when: [{ value: 'pro', operator: 'equals', attribute: 'plan' }] },
      forPro[1],
      { serve: { by: 'targetingKey', percent: 12.5 }, when: [], description: '' },
    ]
    await set(production, { rules: { newCheckout: reordered } })
    expect((await versions(production))[0].version).toBe(2)
  })

  it('are replaced with the whole set, and deleted with the value', async () => {
    await set(production, give)
    await set(production, { values: { newCheckout: false } }, '?replace=true')
    expect(await rulesOf(production)).toBeUndefined()
    await set(production, give)
    await app.ok(
      'developer',
      `DELETE /config-values?schemaId=${schemaId}&environmentId=${production}&key=newCheckout`,
    )
    expect((await read('m2m', production)).values.newCheckout).toMatchObject({
      value: false,
      source: 'default',
    })
    expect(await rulesOf(production)).toBeUndefined()
  })

  it('are inherited with the value, and not where an environment sets its own', async () => {
    await set(base, give)
    const inherited = (await read('m2m', production)).values.newCheckout
    expect(inherited).toMatchObject({ source: 'inherited', inheritedFrom: base, rules: forPro })
    expect((await versions(production))[0].kind).toBe('inherited')
    expect(JSON.parse((await published('server', production)).body).flagRules).toEqual({
      newCheckout: forPro,
    })
    await set(production, { values: { newCheckout: false } })
    expect(await rulesOf(production)).toBeUndefined()
    expect(await rulesOf(base)).toEqual(forPro)
  })

  it('come back with a restored version, and its difference tells them', async () => {
    await set(production, give)
    const [ruled] = await versions(production)
    await set(production, { values: { newCheckout: true } })
    await set(production, { rules: { newCheckout: null } })
    const [bare] = await versions(production)
    const diff = await app.ok('viewer', `GET /config-versions/${bare.id}?against=${ruled.id}`)
    expect(diff.body.changes).toEqual([
      {
        key: 'newCheckout',
        tier: 'featureFlags',
        change: 'changed',
        before: false,
        after: true,
        rulesBefore: forPro,
        sourceBefore: { source: 'set' },
        sourceAfter: { source: 'set' },
      },
    ])
    const restored = await app.ok('developer', `POST /config-versions/${ruled.id}/restore`, {
      body: {},
    })
    expect(restored.body.changes).toMatchObject([
      { before: true, after: false, rulesAfter: forPro },
    ])
    expect(await rulesOf(production)).toEqual(forPro)
    await app.ok('developer', `POST /config-versions/${bare.id}/restore`, { body: {} })
    expect(await rulesOf(production)).toBeUndefined()
  })

  it('are promoted with the value, also when the value is the same, and taken away so', async () => {
    const promote = (from: string, to: string, dryRun = false) =>
      app.ok('developer', 'POST /config-values/promote', {
        body: {
          schemaId,
          fromEnvironmentId: from,
          toEnvironmentId: to,
          keys: ['newCheckout'],
          dryRun,
        },
      })
    const other = await app.addEnvironment('other')
    await set(base, give)
    await set(other, { values: { newCheckout: false } })
    const change = { key: 'newCheckout', before: false, after: false, rulesAfter: forPro }
    expect((await promote(base, other, true)).body.changes).toMatchObject([change])
    expect(await rulesOf(other)).toBeUndefined()
    await promote(base, other)
    expect(await rulesOf(other)).toEqual(forPro)
    await set(base, { rules: { newCheckout: null } })
    await promote(base, other)
    expect(await rulesOf(other)).toBeUndefined()
  })

  it('leave the history when the flag becomes a secret', async () => {
    await set(production, give)
    const [ruled] = await versions(production)
    await app.ok('developer', `PUT /config-schemas/${schemaId}`, {
      body: { schema: { newCheckout: { type: 'boolean', tier: 'secret' } }, force: true },
    })
    const rows = await app.test.asOwner(
      `select 1 from config_versions where schema_id = $1 and (flag_rules::text || changes::text) like $2
       union all select 1 from browser_snapshots where schema_id = $1 and flag_rules::text like $2
       union all select 1 from server_snapshots where schema_id = $1 and body like $2`,
      [schemaId, `%${confidential}%`],
    )
    expect(rows).toEqual([])
    expect((await app.ok('viewer', `GET /config-versions/${ruled.id}`)).text).not.toContain(
      confidential,
    )
  })

  it('wait unused while the key is no flag', async () => {
    await set(production, give)
    const returning = { newCheckout: 'restore' }
    const put = (schema: object) =>
      app.ok('developer', `PUT /config-schemas/${schemaId}`, {
        body: { schema, force: true, returning },
      })
    await put({ newCheckout: { type: 'boolean', tier: 'public' } })
    expect(await rulesOf(production)).toBeUndefined()
    expect((await published('server', production)).body).not.toContain('flagRules')
    await put({ newCheckout: { type: 'boolean' } })
    expect(await rulesOf(production)).toEqual(forPro)
  })
})

describe('rules are refused', () => {
  const condition = { attribute: 'plan', operator: 'equals', value: 'pro' }
  const rule = (more: object) => ({
    newCheckout: [{ when: [{ ...condition, ...more }], serve: true }],
  })
  it.each<[string, object, string, string]>([
    ['for a key that there is not', { newChekout: [] }, '/rules/newChekout', 'unknown_key'],
    ['for a key that is no flag', { apiUrl: [] }, '/rules/apiUrl', 'tier_mismatch'],
    [
      'without a value to go with',
      { darkMode: [{ when: [], serve: true }] },
      '/rules/darkMode',
      'validation_failed',
    ],
    [
      'with a share of more than everybody',
      rule({ attribute: 'targetingKey', operator: 'share', percent: 101 }),
      '/rules/newCheckout/0/when/0/percent',
      'validation_failed',
    ],
    [
      'with a share dealt as in a product that there is not',
      rule({
        attribute: 'targetingKey',
        operator: 'share',
        percent: 10,
        deal: { as: 'dice', key: 'x' },
      }),
      '/rules/newCheckout/0/when/0/deal/as',
      'validation_failed',
    ],
    [
      'with an operator that there is not',
      rule({ operator: 'matches' }),
      '/rules/newCheckout/0/when/0/operator',
      'validation_failed',
    ],
    [
      'with a value of another type',
      rule({ operator: 'greater' }),
      '/rules/newCheckout/0/when/0/value',
      'type_mismatch',
    ],
    [
      'with a version that is none',
      rule({ operator: 'semver', value: '>=2' }),
      '/rules/newCheckout/0/when/0/value',
      'validation_failed',
    ],
    [
      'with an unknown member',
      rule({ not: true, weight: 1 }),
      '/rules/newCheckout/0/when/0/weight',
      'unknown_field',
    ],
    [
      'without an outcome',
      { newCheckout: [{ when: [] }] },
      '/rules/newCheckout/0/serve',
      'validation_failed',
    ],
    [
      'with more than 100%',
      { newCheckout: [{ when: [], serve: { percent: 101 } }] },
      '/rules/newCheckout/0/serve/percent',
      'validation_failed',
    ],
    [
      'with a percentage nobody can deal',
      { newCheckout: [{ when: [], serve: { percent: 0.0001 } }] },
      '/rules/newCheckout/0/serve/percent',
      'validation_failed',
    ],
    [
      'in too great a number',
      { newCheckout: Array.from({ length: 51 }, () => ({ when: [], serve: true })) },
      '/rules/newCheckout',
      'validation_failed',
    ],
  ])('%s', async (_, rules, pointer, code) => {
    const { status, body } = await set(production, { values: { newCheckout: false }, rules })
    expect(status).toBe(422)
    expect(body.errors).toContainEqual({ pointer, code, detail: expect.any(String) })
    expect((await versions(production))[0].version).toBe(1)
  })

  it.each([0, 0.001, 33.333, 99.999, 100])('and not with %d percent', async (percent) => {
    const rules = { newCheckout: [{ when: [], serve: { percent } }] }
    expect((await set(production, { values: { newCheckout: false }, rules })).status).toBe(200)
  })

  it('with the values at fault beside them, each with its pointer', async () => {
    const { body } = await set(production, { values: { darkMode: 'yes' }, rules: { apiUrl: [] } })
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/values/darkMode',
      '/rules/apiUrl',
    ])
  })

  it('when a flag has too many bytes of them, or all flags together', async () => {
    const values = Array.from({ length: 250 }, (_, index) => `${index}`.padEnd(256, 'x'))
    const large = [{ when: [{ attribute: 'customer', operator: 'in', values }], serve: true }]
    const over = await set(production, {
      values: { newCheckout: false },
      rules: { newCheckout: [...large, ...large] },
    })
    expect([over.status, over.body.code]).toEqual([413, 'value_too_large'])
    const keys = Array.from({ length: 5 }, (_, index) => `flag${index}`)
    await app.ok('developer', `PUT /config-schemas/${schemaId}`, {
      body: {
        schema: Object.fromEntries(keys.map((key) => [key, { type: 'boolean' }])),
        force: true,
      },
    })
    const all = (names: string[]) => ({
      values: Object.fromEntries(names.map((key) => [key, true])),
      rules: Object.fromEntries(names.map((key) => [key, large])),
    })
    expect((await set(production, all(keys))).body.code).toBe('value_too_large')
    expect((await set(production, all(keys.slice(0, 3)))).status).toBe(200)
  })
})

describe('a flag that is turned off and on', () => {
  const turn = (environmentId: string, turned: object, body: object = {}) =>
    app.call('developer', 'POST /config-changes', {
      body: { schemaId, changes: [{ environmentId, turn: turned }], ...body },
    })
  const stateOf = async (environmentId: string) => {
    const { value, rules, source } = (await read('m2m', environmentId)).values.newCheckout
    return { value, rules, source }
  }

  it('has value and rules back exactly, and was off for every reader meanwhile', async () => {
    const share = [{ when: [], serve: { percent: 25 } }]
    await set(base, { values: { newCheckout: true }, rules: { newCheckout: share } })
    const before = await stateOf(base)
    const off = await turn(base, { newCheckout: 'off' })
    expect(off.status).toBe(200)
    // The environment that inherits it is named, with what its readers get.
    const named = off.body.environments.map((one: { environmentId: string }) => one.environmentId)
    expect(named).toEqual([base, production])
    for (const environmentId of [base, production]) {
      const server = JSON.parse((await published('server', environmentId)).body)
      expect(server.featureFlags).toEqual({ newCheckout: false })
      expect(server).not.toHaveProperty('flagRules')
      expect(JSON.parse((await published('browser', environmentId)).body).featureFlags).toEqual({
        newCheckout: false,
      })
    }
    expect((await stateOf(base)).rules).toMatchObject([
      { when: [], serve: false, aside: 'on' },
      ...share,
    ])
    // Turned off once more, it keeps what it kept.
    expect((await turn(base, { newCheckout: 'off' })).body.undo).toBeNull()
    const on = await turn(base, { newCheckout: 'on' })
    expect(on.body.environments[0].changes[0]).toMatchObject({ rulesAfter: share, after: true })
    expect(await stateOf(base)).toEqual(before)
    expect(JSON.parse((await published('server', production)).body).flagRules).toMatchObject({
      newCheckout: share,
    })
  })

  it('inherits again where it had no value of its own', async () => {
    await set(base, give)
    await turn(production, { newCheckout: 'off' })
    expect(await stateOf(production)).toMatchObject({ source: 'set', value: false })
    expect(JSON.parse((await published('server', base)).body).flagRules).toBeDefined()
    await turn(production, { newCheckout: 'on' })
    expect(await stateOf(production)).toEqual({ value: false, rules: forPro, source: 'inherited' })
  })

  it('is not opened by a value alone, nor by "on" where it was not turned off', async () => {
    await set(production, give)
    expect((await turn(production, { newCheckout: 'on' })).body.errors).toMatchObject([
      { pointer: '/changes/0/turn/newCheckout', code: 'validation_failed' },
    ])
    await turn(production, { newCheckout: 'off' })
    const alone = await set(production, { values: { newCheckout: true } })
    expect(alone.status).toBe(422)
    const replaced = await set(production, { values: { newCheckout: true } }, '?replace=true')
    expect(replaced.body.errors).toEqual(alone.body.errors)
    expect(alone.body.errors[0].detail).toContain('signalbox turn on newCheckout')
    const both = await set(production, {
      values: { newCheckout: true },
      rules: { newCheckout: [{ when: [], serve: false, aside: 'on' }] },
    })
    expect(both.body.errors).toMatchObject([{ pointer: '/rules/newCheckout' }])
    // Nor is it opened by a whole set that does not name it.
    const before = await stateOf(production)
    expect((await set(production, { values: {} }, '?replace=true')).status).toBe(200)
    expect(await stateOf(production)).toEqual(before)
    // A read that is sent back changes nothing.
    const { values } = await read('m2m', production)
    expect((await set(production, { values })).status).toBe(200)
    expect(await stateOf(production)).toMatchObject({
      value: false,
      rules: values.newCheckout.rules,
    })
    const all = await set(production, { values: { newCheckout: true }, rules: { newCheckout: [] } })
    expect(all.body.values.newCheckout).toMatchObject({ value: true })
  })

  it.each([
    [{ turn: { nothing: 'off' } }, 'unknown_key', 'nothing'],
    [{ turn: { apiUrl: 'off' } }, 'tier_mismatch', 'apiUrl'],
    [
      { turn: { newCheckout: 'off' }, set: { newCheckout: true } },
      'validation_failed',
      'newCheckout',
    ],
    [{ turn: { newCheckout: 'off' }, unset: ['newCheckout'] }, 'validation_failed', 'newCheckout'],
  ])('refuses %j with the place, and stores nothing', async (change, code, key) => {
    const changes = [{ environmentId: production, ...change }]
    const { status, body } = await app.call('developer', 'POST /config-changes', {
      body: { schemaId, changes },
    })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ code, pointer: `/changes/0/turn/${key}` }])
    expect((await versions(production)).length).toBe(1)
  })

  it('is turned off with as many and as long rules as a flag may have', async () => {
    const rules = Array.from({ length: 50 }, () => ({ when: forPro[0]?.when, serve: true }))
    await set(production, { values: { newCheckout: true }, rules: { newCheckout: rules } })
    expect((await turn(production, { newCheckout: 'off' })).status).toBe(200)
    const { values } = await read('m2m', production)
    expect(values.newCheckout.rules).toHaveLength(51)
    const tooMany = [...rules, ...rules.slice(0, 1)]
    expect((await set(production, { ...give, rules: { newCheckout: tooMany } })).status).toBe(422)
  })
})
