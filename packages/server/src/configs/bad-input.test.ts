import { limits } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigApp, type Answer, type ConfigApp } from './testing/open-config-app.ts'

let app: ConfigApp
let env: string
let schemaId: string
let before: unknown

/** All that is stored of configuration. */
const stored = async () => [
  await app.test.asOwner('select * from current_values order by 1, 2, 3'),
  await app.test.asOwner('select * from config_versions order by 1, 2, 3, 4'),
  await app.test.asOwner('select * from config_schemas order by 1, 2'),
  await app.test.asOwner('select * from environments order by 1, 2'),
  await app.test.asOwner('select * from browser_snapshots order by 1, 2, 3, 4'),
  await app.test.asOwner('select * from server_snapshots order by 1, 2, 3, 4'),
  await app.test.asOwner('select count(*) from audit_events'),
]

beforeAll(async () => {
  app = await openConfigApp()
  env = await app.addEnvironment('production')
  schemaId = await app.addSchema('web', {
    url: { type: 'string', tier: 'public', constraints: { format: 'uri' } },
    limit: { type: 'number', tier: 'public' },
    on: { type: 'boolean' },
    note: { type: 'string', tier: 'public' },
  })
  before = await stored()
})
afterAll(() => app.close())

/** Sends the JSON text of a value as `key`, beside a valid value that must not be stored either. */
const putRaw = (key: string, text: string | Uint8Array) => {
  const prefix = `{"schemaId":"${schemaId}","environmentId":"${env}","values":{"limit":1,"${key}":`
  const raw = Buffer.concat([Buffer.from(prefix), Buffer.from(text), Buffer.from('}}')])
  return app.call('m2m', 'PUT /config-values', { raw: new Uint8Array(raw) })
}
const createRaw = (schema: string) =>
  app.call('m2m', 'POST /config-schemas', { raw: `{"name":"bad","schema":${schema}}` })

/** One clear rejection: this status and code, this pointer, and nothing stored. */
async function expectRefused(
  answer: Answer,
  status: number,
  code: string,
  pointer?: string,
): Promise<void> {
  const errors: readonly { pointer: string }[] = answer.body.errors ?? []
  const pointers = pointer === undefined ? undefined : errors.map((error) => error.pointer)
  expect({ status: answer.status, code: answer.body.code, pointers }).toEqual({
    status,
    code,
    pointers: pointer === undefined ? undefined : [pointer],
  })
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.body.detail.length).toBeGreaterThan(10)
  expect(await stored()).toEqual(before)
}

describe('setConfigValues refuses with one pointer per key and stores nothing', () => {
  it('of values of the wrong type', async () => {
    expect.hasAssertions()
    await expectRefused(await putRaw('url', '1'), 422, 'type_mismatch', '/values/url')
    await expectRefused(await putRaw('on', '"true"'), 422, 'type_mismatch', '/values/on')
    await expectRefused(await putRaw('note', 'null'), 422, 'type_mismatch', '/values/note')
    await expectRefused(await putRaw('note', '{"a":1}'), 422, 'type_mismatch', '/values/note')
    await expectRefused(await putRaw('note', '["a"]'), 422, 'type_mismatch', '/values/note')
  })

  it('of unknown keys', async () => {
    expect.hasAssertions()
    await expectRefused(await putRaw('nope', '1'), 422, 'unknown_key', '/values/nope')
    await expectRefused(await putRaw('URL', '"http://a"'), 422, 'unknown_key', '/values/URL')
    await expectRefused(await putRaw('', '1'), 422, 'unknown_key', '/values/')
    await expectRefused(await putRaw('k'.repeat(5_000), '1'), 422, 'unknown_key')
  })

  it('of values against a constraint, without repeating them', async () => {
    expect.hasAssertions()
    const answer = await putRaw('url', '"my secret"')
    await expectRefused(answer, 422, 'schema_violation', '/values/url')
    expect(answer.text).not.toContain('my secret')
  })

  it('of several faults at once, each with its own pointer', async () => {
    expect.hasAssertions()
    const answer = await app.call('m2m', 'PUT /config-values', {
      body: { schemaId, environmentId: env, values: { url: 'x', limit: 'x', nope: 1, on: true } },
    })
    await expectRefused(answer, 422, 'validation_failed')
    expect(answer.body.errors).toMatchObject([
      { pointer: '/values/url', code: 'schema_violation' },
      { pointer: '/values/limit', code: 'type_mismatch' },
      { pointer: '/values/nope', code: 'unknown_key' },
    ])
  })

  it('of reserved names', async () => {
    expect.hasAssertions()
    await expectRefused(await putRaw('__proto__', '1'), 422, 'reserved_key', '/values/__proto__')
    await expectRefused(await putRaw('constructor', '1'), 422, 'unknown_key', '/values/constructor')
    await expectRefused(await putRaw('toString', '1'), 422, 'unknown_key', '/values/toString')
    await expectRefused(
      await putRaw('\\u005f_proto__', '1'),
      422,
      'reserved_key',
      '/values/__proto__',
    )
  })

  it('of text that cannot be stored', async () => {
    expect.hasAssertions()
    await expectRefused(await putRaw('note', '"a\\u0000b"'), 422, 'ill_formed_text', '/values/note')
    await expectRefused(await putRaw('note', '"\\ud800"'), 422, 'ill_formed_text', '/values/note')
    await expectRefused(
      await putRaw('note', '"\\udc00\\ud800"'),
      422,
      'ill_formed_text',
      '/values/note',
    )
    const invalid = Buffer.concat([Buffer.from('"'), Buffer.of(0xff, 0xfe), Buffer.from('"')])
    await expectRefused(await putRaw('note', invalid), 400, 'invalid_encoding')
    const surrogate = Buffer.concat([
      Buffer.from('"'),
      Buffer.of(0xed, 0xa0, 0x80),
      Buffer.from('"'),
    ])
    await expectRefused(await putRaw('note', surrogate), 400, 'invalid_encoding')
  })

  it('of numbers that cannot be represented', async () => {
    expect.hasAssertions()
    for (const number of ['9007199254740993', '-9007199254740993', '1e400', '-1e400', '1e308']) {
      await expectRefused(await putRaw('limit2', number), 422, 'number_out_of_range')
    }
    for (const word of ['NaN', 'Infinity', '01', '+1', '0x10', '1.']) {
      await expectRefused(await putRaw('note', word), 400, 'invalid_json')
    }
  })

  it('of JSON with a key given twice', async () => {
    expect.hasAssertions()
    await expectRefused(await putRaw('limit', '2'), 422, 'duplicate_key', '/values/limit')
  })

  it('of JSON that is nested too deeply or has too many items', async () => {
    expect.hasAssertions()
    for (const depth of [limits.jsonDepth, 10_000, 500_000]) {
      await expectRefused(
        await putRaw('note', '['.repeat(depth) + ']'.repeat(depth)),
        422,
        'too_deep',
      )
    }
    const items = `[${'1,'.repeat(limits.jsonNodes)}1]`
    await expectRefused(await putRaw('note', items), 422, 'too_many_items')
  })

  it('of values and bodies that are too large', async () => {
    expect.hasAssertions()
    const value = JSON.stringify('x'.repeat(limits.valueBytes + 1))
    await expectRefused(await putRaw('note', value), 413, 'value_too_large', '/values/note')
    const body = ' '.repeat(limits.schemaBodyBytes + 1)
    await expectRefused(await putRaw('note', `${body}1`), 413, 'body_too_large')
  })

  it('of bodies that are no JSON at all', async () => {
    expect.hasAssertions()
    for (const raw of ['', '{', 'nonsense', '{}{}', '\uFEFF{}']) {
      const answer = await app.call('m2m', 'PUT /config-values', { raw })
      expect([400, 422]).toContain(answer.status)
    }
    expect(await stored()).toEqual(before)
  })

  it('of unknown members and of ids of the wrong form', async () => {
    expect.hasAssertions()
    const call = (body: object) => app.call('m2m', 'PUT /config-values', { body })
    await expectRefused(
      await call({ schemaId, environmentId: env, values: {}, vales: {} }),
      422,
      'unknown_field',
      '/vales',
    )
    await expectRefused(
      await call({ schemaId: 'web', environmentId: env, values: {} }),
      422,
      'validation_failed',
      '/schemaId',
    )
  })

  it('of ids of another organization, in the very words of absent ones', async () => {
    expect.hasAssertions()
    await app.test.asOwner(
      `insert into environments (org_id, id, name) values ($1, 'env_01jd2m4x9k0000000000000001', 'theirs')`,
      [app.otherOrgId],
    )
    before = await stored()
    const call = (environmentId: string) =>
      app.call('m2m', 'PUT /config-values', {
        body: { schemaId, environmentId, values: { limit: 1 } },
      })
    const foreign = await call('env_01jd2m4x9k0000000000000001')
    const absent = await call('env_01jd2m4x9k0000000000000002')
    await expectRefused(foreign, 404, 'not_found')
    const plain = ({ body }: Answer) => ({ ...body, instance: '' })
    expect(plain(foreign)).toEqual(plain(absent))
    const stranger = await app.call('strangeKey', 'PUT /config-values', {
      body: { schemaId, environmentId: env, values: { limit: 1 } },
    })
    expect(plain(stranger)).toEqual(plain(absent))
  })
})

describe('createConfigSchema refuses with one pointer per fault and stores nothing', () => {
  it('of reserved, malformed and look-alike names', async () => {
    expect.hasAssertions()
    const type = '{"type":"string"}'
    await expectRefused(
      await createRaw(`{"__proto__":${type}}`),
      422,
      'reserved_key',
      '/schema/__proto__',
    )
    await expectRefused(
      await createRaw(`{"constructor":${type}}`),
      422,
      'reserved_key',
      '/schema/constructor',
    )
    await expectRefused(await createRaw(`{"a b":${type}}`), 422, 'reserved_key', '/schema/a b')
    await expectRefused(
      await createRaw(`{"key":${type},"KEY":${type}}`),
      422,
      'duplicate_key',
      '/schema/KEY',
    )
    await expectRefused(
      await createRaw(`{"key":${type},"key":${type}}`),
      422,
      'duplicate_key',
      '/schema/key',
    )
    await expectRefused(
      await createRaw(`{"ке\u0443":${type}}`),
      422,
      'reserved_key',
      '/schema/ке\u0443',
    )
  })

  it('of definitions that make no sense', async () => {
    expect.hasAssertions()
    const at = (rest: string) => `/schema/k${rest}`
    await expectRefused(
      await createRaw('{"k":{"type":"date"}}'),
      422,
      'validation_failed',
      at('/type'),
    )
    await expectRefused(
      await createRaw('{"k":{"type":"string","typ":1}}'),
      422,
      'unknown_field',
      at('/typ'),
    )
    await expectRefused(
      await createRaw('{"k":{"type":"string","tier":"featureFlags"}}'),
      422,
      'tier_mismatch',
      at('/tier'),
    )
    await expectRefused(
      await createRaw('{"k":{"type":"string","default":1}}'),
      422,
      'type_mismatch',
      at('/default'),
    )
    await expectRefused(
      await createRaw('{"k":{"type":"string","constraints":{"pattern":"(a+)+(?=b)"}}}'),
      422,
      'validation_failed',
      at('/constraints/pattern'),
    )
    await expectRefused(
      await createRaw('{"k":{"type":"string","constraints":{"minLenght":1}}}'),
      422,
      'unknown_field',
      at('/constraints/minLenght'),
    )
    await expectRefused(
      await createRaw('{"k":{"type":"number","constraints":{"__proto__":1}}}'),
      422,
      'reserved_key',
      at('/constraints/__proto__'),
    )
  })

  it('of too many keys', async () => {
    expect.hasAssertions()
    const keys = Array.from(
      { length: limits.keysPerSchema + 1 },
      (_, i) => `"k${i}":{"type":"string"}`,
    )
    await expectRefused(await createRaw(`{${keys.join(',')}}`), 422, 'too_many_items', '/schema')
  })
})
