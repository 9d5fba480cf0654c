import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let source: string
let env: string
let schemaId: string
let objectsId: string
/** Written in pieces: scanners would take the whole for a token that leaked. */
const token = `ghp_${'aB3'.repeat(12)}`
const otherToken = `ghp_${'cD4'.repeat(12)}`
const key = { type: 'string', tier: 'public', targeted: true } as const

beforeAll(async () => {
  app = await openConfigApp()
  env = await app.addEnvironment('production')
  source = await app.addEnvironment('staging')
  schemaId = await app.addSchema('web', {
    mapsKey: key,
    other: key,
    checkout: { type: 'boolean' },
    secret: { type: 'string' },
  })
  objectsId = await app.addSchema('objects', { maps: { type: 'json', tier: 'public' } })
})
afterAll(() => app.close())

const rulesOf = (value: string) => [
  { when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: { value } },
]
const conditionOn = (value: string) => [
  { when: [{ attribute: 'plan', operator: 'equals', value }], serve: true },
]
const document = {
  format: 'signalbox-import/1',
  source: 'launchdarkly',
  keys: [
    {
      key: 'mapsKey',
      from: 'mapsKey',
      type: 'string',
      tier: 'public',
      targeted: true,
      verdict: 'exact',
      values: [{ environment: 'production', value: token }],
      issues: [],
    },
  ],
  leftOut: [],
}

/** Every way to write an open value, with the pointer of its refusal. */
const writes = {
  'PUT config-values': {
    request: () => 'PUT /config-values',
    body: () => ({ schemaId, environmentId: env, values: { mapsKey: token } }),
    pointer: '/values/mapsKey',
  },
  'an entry of PUT config-values': {
    request: () => 'PUT /config-values',
    body: () => ({
      schemaId,
      environmentId: env,
      values: { mapsKey: { value: token, source: 'set' } },
    }),
    pointer: '/values/mapsKey',
  },
  'a text within a longer one': {
    request: () => 'PUT /config-values',
    body: () => ({
      schemaId,
      environmentId: env,
      values: { mapsKey: `https://api.example.com/?token=${token}&a=b` },
    }),
    pointer: '/values/mapsKey',
  },
  'a text within an object': {
    request: () => 'PUT /config-values',
    body: () => ({
      schemaId: objectsId,
      environmentId: env,
      values: { maps: { keys: ['a', token] } },
    }),
    pointer: '/values/maps',
    allowed: 'maps',
  },
  'what a rule serves': {
    request: () => 'PUT /config-values',
    body: () => ({
      schemaId,
      environmentId: env,
      values: { mapsKey: 'x' },
      rules: { mapsKey: rulesOf(token) },
    }),
    pointer: '/rules/mapsKey',
  },
  'a condition of a flag': {
    request: () => 'PUT /config-values',
    body: () => ({
      schemaId,
      environmentId: env,
      values: { checkout: false },
      rules: { checkout: conditionOn(token) },
    }),
    pointer: '/rules/checkout',
    allowed: 'checkout',
  },
  'a change set': {
    request: () => 'POST /config-changes',
    body: () => ({ schemaId, changes: [{ environmentId: env, set: { mapsKey: token } }] }),
    pointer: '/changes/0/set/mapsKey',
  },
  'rules of a change set': {
    request: () => 'POST /config-changes',
    body: () => ({
      schemaId,
      changes: [{ environmentId: env, set: { mapsKey: 'y' }, rules: { mapsKey: rulesOf(token) } }],
    }),
    pointer: '/changes/0/rules/mapsKey',
  },
  'a promotion': {
    request: () => 'POST /config-values/promote',
    body: () => ({
      schemaId,
      fromEnvironmentId: source,
      toEnvironmentId: env,
      keys: ['other'],
    }),
    pointer: '/keys/0',
    allowed: 'other',
  },
  'a new schema': {
    request: () => 'POST /config-schemas',
    body: () => ({ name: 'fresh', schema: { mapsKey: { ...key, default: token } } }),
    pointer: '/schema/mapsKey/default',
  },
  'a replaced schema': {
    request: () => `PUT /config-schemas/${schemaId}`,
    body: () => ({
      schema: {
        mapsKey: { ...key, default: token },
        other: key,
        checkout: { type: 'boolean' },
        secret: { type: 'string' },
      },
    }),
    pointer: '/schema/mapsKey/default',
  },
  'values beside a schema': {
    request: () => `PUT /config-schemas/${schemaId}`,
    body: () => ({
      schema: {
        mapsKey: { ...key, default: token },
        other: key,
        checkout: { type: 'boolean' },
        secret: { type: 'string' },
      },
      values: [{ environmentId: env, set: { other: otherToken } }],
    }),
    pointer: '/values/0/set/other',
    allowed: 'other',
    alsoAllowed: 'mapsKey',
  },
} as const satisfies Record<string, object>

/** Sets everything back to what holds no credential. */
async function clear() {
  const values = { mapsKey: 'a', other: 'b', checkout: true }
  const rules = { mapsKey: null, checkout: null }
  await app.ok('developer', 'PUT /config-values', {
    body: { schemaId, environmentId: env, values, rules },
  })
}

describe('a value that everybody may read', () => {
  it.each(Object.entries(writes))('is refused as a credential by %s', async (_, write) => {
    await clear()
    await app.ok('developer', 'PUT /config-values', {
      body: {
        schemaId,
        environmentId: source,
        values: { other: otherToken },
        allowPlain: ['other'],
      },
    })
    const [request, body] = [write.request(), write.body()]
    const also = 'alsoAllowed' in write ? [write.alsoAllowed] : []
    const allowed = 'allowed' in write ? write.allowed : 'mapsKey'
    const before = await app.ok(
      'm2m',
      `GET /config-values?schemaId=${schemaId}&environmentId=${env}`,
    )
    const refused = await app.call('developer', request, { body: { ...body, allowPlain: also } })
    expect([refused.status, refused.body.code, refused.body.errors]).toMatchObject([
      422,
      'looks_like_secret',
      [{ pointer: write.pointer, code: 'looks_like_secret', key: allowed }],
    ])
    expect(refused.body.detail).toMatch(/secret tier.*"allowPlain"/)
    expect(refused.body.detail).toContain('a token of GitHub')
    for (const credential of [token, otherToken]) expect(refused.text).not.toContain(credential)
    // Naming another key does not help.
    const other = await app.call('developer', request, {
      body: { ...body, allowPlain: [...also, 'secret'] },
    })
    expect(other.status).toBe(422)
    const after = await app.ok(
      'm2m',
      `GET /config-values?schemaId=${schemaId}&environmentId=${env}`,
    )
    expect(after.body).toEqual(before.body)

    // Control: the same request that names the key is stored.
    const stored = await app.call('developer', request, {
      body: { ...body, allowPlain: [...also, allowed] },
    })
    expect([200, 201]).toContain(stored.status)
  })

  it('is a problem of its cell in a dry run, and stored as a secret without a question', async () => {
    await clear()
    const dry = await app.ok('developer', 'POST /config-changes', {
      body: {
        schemaId,
        changes: [{ environmentId: env, set: { mapsKey: token } }],
        dryRun: true,
      },
    })
    expect(dry.body.problems).toMatchObject([
      { environmentId: env, key: 'mapsKey', code: 'looks_like_secret' },
    ])
    await app.ok('developer', 'PUT /config-values', {
      body: { schemaId, environmentId: env, values: { secret: token } },
    })
  })

  it('fails its key in an import, and is imported where it is allowed', async () => {
    await clear()
    const send = (more: object) =>
      app.ok('developer', 'POST /config-imports', {
        body: { schema: 'web', document, update: ['mapsKey'], ...more },
      })
    const refused = await send({})
    const failed = { key: 'mapsKey', action: 'failed', looksLikeSecret: true }
    expect(refused.body.keys).toMatchObject([failed])
    expect(refused.body.keys[0].problems.join()).toContain('allowPlain')
    expect(refused.text).not.toContain(token)
    const stored = await send({ allowPlain: ['mapsKey'] })
    expect(stored.body.keys).toMatchObject([{ key: 'mapsKey', action: 'update' }])
  })

  it('that is allowed is named in the audit log, without the value', async () => {
    await clear()
    const event = await expectOneEvent(app.test, 'value.set', () =>
      app.ok('developer', 'PUT /config-values', {
        body: {
          schemaId,
          environmentId: env,
          values: { mapsKey: token, other: 'c' },
          allowPlain: ['mapsKey', 'other'],
        },
      }),
    )
    expect(event.detail).toMatchObject({ allowPlain: ['mapsKey'] })
    expect(JSON.stringify(event)).not.toContain(token)
    const plain = await expectOneEvent(app.test, 'value.set', () =>
      app.ok('developer', 'PUT /config-values', {
        body: { schemaId, environmentId: env, values: { other: 'd' }, allowPlain: ['other'] },
      }),
    )
    expect(plain.detail).not.toHaveProperty('allowPlain')
  })

  it('that is stored already can be sent back, and its rules be changed elsewhere', async () => {
    await clear()
    const put = (body: object) =>
      app.call('developer', 'PUT /config-values', {
        body: { schemaId, environmentId: env, ...body },
      })
    await put({
      values: { mapsKey: token },
      rules: { mapsKey: rulesOf(token) },
      allowPlain: ['mapsKey'],
    })
    expect((await put({ values: { mapsKey: token, other: 'e' } })).status).toBe(200)
    const more = [...rulesOf(token), ...rulesOf('free')]
    expect((await put({ values: {}, rules: { mapsKey: more } })).status).toBe(200)
    const another = await put({ values: {}, rules: { mapsKey: rulesOf(otherToken) } })
    expect(another.body.code).toBe('looks_like_secret')
    const { body } = await app.ok('developer', `GET /config-schemas/${schemaId}`)
    const again = await app.call('developer', `PUT /config-schemas/${schemaId}`, { body })
    expect(again.status).toBe(200)
  })

  it('comes back by a restore without a question, and the audit log names its key', async () => {
    await clear()
    await app.ok('developer', 'PUT /config-values', {
      body: {
        schemaId,
        environmentId: env,
        values: { mapsKey: token },
        allowPlain: ['mapsKey'],
      },
    })
    const query = `schemaId=${schemaId}&environmentId=${env}`
    const { items } = (await app.ok('viewer', `GET /config-versions?${query}`)).body
    await clear()
    const event = await expectOneEvent(app.test, 'value.rolled_back', () =>
      app.ok('developer', `POST /config-versions/${items[0].id}/restore`, { body: {} }),
    )
    expect(event.detail).toMatchObject({ allowPlain: ['mapsKey'] })
  })
})
