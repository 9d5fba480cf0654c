import { limits } from '@signalbox/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from './testing/open-config-app.ts'

let app: ConfigApp
let environmentId: string
let schemaId: string

/** All that is stored of configuration. */
const stored = async () => [
  await app.test.asOwner('select * from current_values order by 1, 2, 3'),
  await app.test.asOwner('select * from config_schemas order by 1, 2'),
  await app.test.asOwner('select count(*) from config_versions'),
  await app.test.asOwner('select count(*) from audit_events'),
]

beforeAll(async () => {
  app = await openConfigApp()
  environmentId = await app.addEnvironment('production')
  schemaId = await app.addSchema('web', {
    url: { type: 'string', tier: 'public', constraints: { format: 'uri' } },
    limit: { type: 'number', tier: 'public' },
    note: { type: 'string', tier: 'public' },
  })
})
afterAll(() => app.close())

const quoted = (...bytes: readonly number[]) => Buffer.from([0x22, ...bytes, 0x22])

/** One of each code. The reader of JSON and the check of values have the other spellings. */
const cases: readonly (readonly [key: string, text: string | Uint8Array, code: string])[] = [
  ['url', '"my secret"', '422 schema_violation at /values/url'],
  ['note', '{"a":1}', '422 type_mismatch at /values/note'],
  ['nope', '1', '422 unknown_key at /values/nope'],
  ['\\u005f_proto__', '1', '422 reserved_key at /values/__proto__'],
  ['note', '"a\\u0000b"', '422 ill_formed_text at /values/note'],
  ['note', quoted(0xff, 0xfe), '400 invalid_encoding'],
  ['note', '9007199254740993', '422 number_out_of_range at /values/note'],
  ['note', 'NaN', '400 invalid_json'],
  ['limit', '2', '422 duplicate_key at /values/limit'],
  ['note', '['.repeat(10_000), '422 too_deep'],
  ['note', `[${'1,'.repeat(limits.jsonNodes)}1]`, '422 too_many_items'],
  ['note', `"${'x'.repeat(limits.valueBytes + 1)}"`, '413 value_too_large at /values/note'],
  ['note', ' '.repeat(limits.schemaBodyBytes + 1), '413 body_too_large'],
]

it.each(cases)(
  'a value for %s that nobody can store is refused, its place named, and nothing beside it is stored',
  async (key, text, expected) => {
    const before = await stored()
    const prefix = `{"schemaId":"${schemaId}","environmentId":"${environmentId}","values":{"limit":1,"${key}":`
    const raw = Buffer.concat([Buffer.from(prefix), Buffer.from(text), Buffer.from('}}')])
    const answer = await app.call('m2m', 'PUT /config-values', { raw: new Uint8Array(raw) })
    const { status, code, errors = [] } = answer.body
    const place = expected.includes(' at ') ? ` at ${errors[0]?.pointer}` : ''
    expect(`${status} ${code}${place}`).toBe(expected)
    expect(errors.length).toBeLessThanOrEqual(1)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.text).not.toContain('my secret')
    expect(await stored()).toEqual(before)
  },
)
