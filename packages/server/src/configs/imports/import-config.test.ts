import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let staging: string
let production: string
beforeAll(async () => {
  app = await openConfigApp()
  staging = await app.addEnvironment('staging')
  production = await app.addEnvironment('production')
})
afterAll(() => app.close())

const share = {
  attribute: 'targetingKey',
  operator: 'share',
  percent: 10,
  deal: { as: 'launchdarkly', key: 'checkout.3fbf2fd5' },
}
const rules = [{ when: [share], serve: true }]
const issue = {
  code: 'LD-T011',
  severity: 'low',
  cause: 'The segment staff is used.',
  done: 'Its conditions are written into the rule.',
}

const flag = (key: string, more: object = {}) => ({
  key,
  from: key,
  type: 'boolean',
  tier: 'featureFlags',
  verdict: 'exact',
  values: [
    { environment: 'staging', value: true },
    { environment: 'Production', value: false, rules },
  ],
  issues: [],
  ...more,
})
const documentOf = (keys: readonly object[], leftOut: readonly object[] = []) => ({
  format: 'signalbox-import/1',
  source: 'launchdarkly',
  keys,
  leftOut,
})
const send = (schema: string, document: object, more: object = {}, as = 'developer') =>
  app.call(as, 'POST /config-imports', { body: { schema, document, ...more } })

async function valueOf(schemaId: string, environmentId: string, key: string) {
  const path = `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`
  return (await app.ok('m2m', path)).body.values[key]
}

describe('an import', () => {
  it('gives keys the variables that it names, and fails a key whose variable another one has', async () => {
    const variable = (key: string, name: string) => ({
      ...flag(key, { type: 'string', tier: 'public', variable: name }),
      values: [{ environment: 'staging', value: 'x' }],
    })
    const document = documentOf([variable('a', 'Shop__A'), variable('b', 'shop__a')])
    const { keys, schemaId } = (await send('variables', document)).body
    expect(keys).toMatchObject([
      { key: 'a', variable: 'Shop__A', action: 'create' },
      { key: 'b', action: 'failed', problems: [expect.stringContaining('a has the variable')] },
    ])
    expect(await valueOf(schemaId, staging, 'a')).toMatchObject({ variable: 'Shop__A' })
    const later = (await send('variables', documentOf([variable('c', 'SHOP__A')]))).body
    expect(later.keys).toMatchObject([{ key: 'c', action: 'failed' }])
  })

  it('is planned first, which stores nothing, and then creates schema, keys, values and rules', async () => {
    const document = documentOf(
      [flag('checkout', { issues: [issue] })],
      [{ from: 'banner', issues: [{ ...issue, code: 'LD-T020', severity: 'high' }] }],
    )
    const plan = (await send('one', document, { dryRun: true })).body
    expect(plan).toMatchObject({
      schemaId: null,
      dryRun: true,
      counts: { exact: 1, leftOut: 1, create: 1, failed: 0 },
      keys: [
        { key: 'checkout', verdict: 'exact', action: 'create', issues: [issue] },
        { from: 'banner', verdict: 'left out', action: 'none' },
      ],
    })
    expect((await app.call('developer', 'GET /config-schemas/one')).status).toBe(404)
    const done = (await send('one', document)).body
    expect(done.keys[0].environments).toEqual([
      { environment: 'staging', state: 'set' },
      { environment: 'production', state: 'set' },
    ])
    expect(await valueOf(done.schemaId, staging, 'checkout')).toMatchObject({ value: true })
    expect(await valueOf(done.schemaId, production, 'checkout')).toMatchObject({
      value: false,
      rules,
    })
    const path = `GET /config-versions?schemaId=${done.schemaId}&environmentId=${production}`
    expect((await app.ok('developer', path)).body.items[0].comment).toBe(
      'Imported from LaunchDarkly',
    )
    const [event] = await app.test.asOwner<{ detail: object }>(
      `select detail from audit_events where action = 'value.imported' and target ->> 'id' = $1`,
      [done.schemaId],
    )
    expect(event?.detail).toMatchObject({ from: 'LaunchDarkly', keys: ['checkout'] })
  })

  it('with a key is answered with its plan alone, and again when the request is repeated', async () => {
    const body = { schema: 'keyed', document: documentOf([flag('checkout')]) }
    const headers = { 'idempotency-key': 'import-1' }
    const first = await app.call('developer', 'POST /config-imports', { body, headers })
    expect(Object.keys(first.body)).toEqual([
      'schemaId',
      'schema',
      'dryRun',
      'counts',
      'keys',
      'requires',
    ])
    const second = await app.call('developer', 'POST /config-imports', { body, headers })
    expect(second.body).toEqual(first.body)
    expect(first.body.counts).toMatchObject({ create: 1 })
  })

  it('declares keys whose values nobody has, and writes no version', async () => {
    const secret = { type: 'string', tier: 'secret', values: [] }
    const document = documentOf([flag('stripeKey', secret), flag('checkout')])
    expect((await send('names', document, { dryRun: true })).body.keys[0]).toMatchObject({
      action: 'create',
      environments: [],
    })
    const { schemaId } = (await send('names', document)).body
    const path = `GET /config-values?schemaId=${schemaId}&environmentId=${staging}`
    expect((await app.ok('m2m', path)).body.values.stripeKey).toMatchObject({ source: 'missing' })
    expect((await send('names', document)).body.counts).toMatchObject({ unchanged: 2 })
  })

  it('that is repeated is unchanged, and writes no version', async () => {
    const document = documentOf([flag('checkout')])
    const first = (await send('again', document)).body
    const versions = async () => {
      const path = `GET /config-versions?schemaId=${first.schemaId}&environmentId=${staging}`
      return (await app.ok('developer', path)).body.items.length
    }
    const before = await versions()
    const second = (await send('again', document)).body
    expect(second.counts).toMatchObject({ unchanged: 1, create: 0, update: 0 })
    expect(await versions()).toBe(before)
  })

  it('continues a partial one', async () => {
    const id = await app.addSchema('partial', { checkout: { type: 'boolean', required: true } })
    const plan = (await send('partial', documentOf([flag('checkout'), flag('other')]))).body
    expect(plan.keys).toMatchObject([{ action: 'update' }, { action: 'create' }])
    expect(await valueOf(id, production, 'checkout')).toMatchObject({ rules })
  })

  it('does not touch what exists, unless it is named', async () => {
    const id = await app.addSchema('kept', { checkout: { type: 'boolean' } })
    await app.ok('developer', 'PUT /config-values', {
      body: { schemaId: id, environmentId: production, values: { checkout: true } },
    })
    const skipped = (await send('kept', documentOf([flag('checkout')]))).body
    expect(skipped.keys[0]).toMatchObject({
      action: 'skip',
      environments: [{ state: 'set' }, { environment: 'production', state: 'differs' }],
    })
    expect(await valueOf(id, production, 'checkout')).toMatchObject({ value: true })
    const named = await send('kept', documentOf([flag('checkout')]), { update: ['checkout'] })
    expect(named.body.keys[0]).toMatchObject({ action: 'update' })
    expect(await valueOf(id, production, 'checkout')).toMatchObject({ value: false, rules })
  })

  it('leaves a flag off where it is turned off, and where that is inherited, also when the key is named', async () => {
    const id = await app.addSchema('off', { checkout: { type: 'boolean' } })
    const child = await app.addEnvironment('below-production', production)
    const change = (more: object) =>
      app.ok('developer', 'POST /config-changes', {
        body: { schemaId: id, changes: [{ environmentId: production, ...more }] },
      })
    await change({ set: { checkout: true } })
    await change({ turn: { checkout: 'off' } })
    const values = ['staging', 'production', 'below-production'].map((environment) => {
      return { environment, value: true }
    })
    const document = documentOf([flag('checkout', { values })])
    const { keys } = (await send('off', document, { update: ['checkout'] })).body
    expect(keys[0].environments).toEqual([
      { environment: 'staging', state: 'set' },
      { environment: 'production', state: 'turned off' },
      { environment: 'below-production', state: 'turned off' },
    ])
    expect(await valueOf(id, staging, 'checkout')).toMatchObject({ value: true })
    for (const [environmentId, source] of [
      [production, 'set'],
      [child, 'inherited'],
    ] as const) {
      const off = { value: false, source, rules: [{ when: [], serve: false, aside: 'on' }] }
      expect(await valueOf(id, environmentId, 'checkout')).toMatchObject(off)
    }
    expect((await send('off', document)).body.keys[0].action).toBe('unchanged')
    // The control: turned on again, it is as the import wants it.
    await change({ turn: { checkout: 'on' } })
    expect((await send('off', document)).body.keys[0]).toMatchObject({
      action: 'skip',
      environments: [{ state: 'same' }, { state: 'same' }, { state: 'differs' }],
    })
  })

  it('with a faulty key stores the others, and says why', async () => {
    const wrong = { attribute: 'a', operator: 'share', percent: 101 }
    const faulty = flag('faulty', {
      values: [{ environment: 'staging', value: true, rules: [{ when: [wrong], serve: true }] }],
    })
    const digit = flag('2fast')
    const twin = flag('Checkout')
    const done = (await send('faulty', documentOf([faulty, digit, flag('checkout'), twin]))).body
    expect(done.counts).toMatchObject({ failed: 3, create: 1 })
    expect(done.keys.map(({ problems }: { problems: string[] }) => problems.length)).toEqual([
      1, 1, 0, 1,
    ])
    expect(done.keys[0].problems[0]).toContain('staging: rules/0/when/0/percent')
    expect(await valueOf(done.schemaId, staging, 'checkout')).toMatchObject({ value: true })
  })

  it('says which environment there is not, and imports the rest', async () => {
    const values = [
      { environment: 'staging', value: true },
      { environment: 'qa', value: true },
    ]
    const done = (await send('lacking', documentOf([flag('checkout', { values })]))).body
    expect(done.keys[0].environments).toEqual([
      { environment: 'staging', state: 'set' },
      { environment: 'qa', state: 'missing environment' },
    ])
  })

  it('seals secrets, and shows them in no answer, event or version', async () => {
    const canary = 'canary-4f1c'
    const secret = {
      ...flag('stripeKey', { type: 'string', tier: 'secret' }),
      values: [{ environment: 'staging', value: canary }],
    }
    const answers = [
      await send('secret', documentOf([secret]), { dryRun: true }),
      await send('secret', documentOf([secret])),
      await send('secret', documentOf([secret])),
    ]
    expect(answers.map(({ body }) => body.keys[0].action)).toEqual([
      'create',
      'create',
      'unchanged',
    ])
    expect(answers.map(({ text }) => text).join()).not.toContain(canary)
    const id = answers[1]?.body.schemaId
    expect(await valueOf(id, staging, 'stripeKey')).toMatchObject({ value: canary })
    const rows = await app.test.asOwner('select * from audit_events')
    const heads = await app.test.asOwner('select * from current_values where schema_id = $1', [id])
    expect(JSON.stringify([rows, heads])).not.toContain(canary)
  })

  it('asks for the confirmation of a protected environment before it stores anything', async () => {
    const id = await app.addEnvironment('guarded')
    await app.ok('admin', `PATCH /environments/${id}`, { body: { protection: { confirm: true } } })
    const values = [{ environment: 'guarded', value: true }]
    const document = documentOf([flag('checkout', { values })])
    const planned = (await send('guard', document, { dryRun: true })).body
    expect(planned.requires).toMatchObject([{ environment: 'guarded', confirm: true }])
    const refused = await send('guard', document)
    expect(refused).toMatchObject({ status: 409, body: { code: 'confirmation_required' } })
    expect((await app.call('developer', 'GET /config-schemas/guard')).status).toBe(404)
    expect((await send('guard', document, { confirm: 'guarded' })).status).toBe(200)
    await app.ok('admin', `PATCH /environments/${id}`, {
      body: { protection: { confirm: false }, confirm: 'guarded' },
    })
  })

  it('asks for the confirmation and the comment of a protected environment that inherits a value', async () => {
    const base = await app.addEnvironment('common')
    const child = await app.addEnvironment('inherits', base)
    await app.ok('admin', `PATCH /environments/${child}`, {
      body: { protection: { confirm: true, comment: true } },
    })
    const values = [{ environment: 'common', value: true }]
    const document = documentOf([flag('checkout', { values })])
    const planned = (await send('below', document, { dryRun: true })).body
    expect(planned.requires).toMatchObject([{ environment: 'inherits', comment: true }])
    const codes = [
      (await send('below', document)).body.code,
      (await send('below', document, { confirm: 'inherits' })).body.code,
    ]
    expect(codes).toEqual(['confirmation_required', 'comment_required'])
    expect((await app.call('developer', 'GET /config-schemas/below')).status).toBe(404)
    const own = [...values, { environment: 'inherits', value: false }]
    const meant = { confirm: 'inherits', comment: 'why' }
    expect((await send('below', document, meant)).status).toBe(200)
    const set = await send('below', documentOf([flag('other', { values: own })]), meant)
    expect(set.status).toBe(200)
    const again = flag('other', { values: [{ environment: 'common', value: false }] })
    // Its own value hides the inherited one, so it stays as it is.
    const hidden = await send('below', documentOf([again]), { update: ['other'] })
    expect([hidden.status, hidden.body.requires]).toEqual([200, []])
    await app.ok('admin', `PATCH /environments/${child}`, {
      body: { protection: { confirm: false, comment: false }, ...meant },
    })
  })

  it('refuses another format, with the place', async () => {
    const { status, body } = await send('x', { ...documentOf([]), format: 'signalbox-import/9' })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ pointer: '/document/format' }])
  })
})
