import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let env: string
let schemaId: string
beforeAll(async () => {
  app = await openConfigApp()
  env = await app.addEnvironment('production')
  schemaId = await app.addSchema('web', {
    apiUrl: { type: 'string', tier: 'public', constraints: { format: 'uri' } },
    stripeKey: { type: 'string', constraints: { pattern: '^sk_' } },
    checkout: { type: 'boolean', default: false },
    retries: { type: 'number', tier: 'public', default: 3, constraints: { minimum: 0 } },
  })
})
afterAll(() => app.close())

const put = (body: object, as = 'developer', query = '') =>
  app.call(as, `PUT /config-values${query}`, {
    body: { schemaId, environmentId: env, ...body },
  })
const read = async (as = 'm2m') =>
  (await app.ok(as, `GET /config-values?schemaId=${schemaId}&environmentId=${env}`)).body

describe('setValues', () => {
  it('sets the given keys and leaves the others', async () => {
    await put({ values: { apiUrl: 'https://a.example', retries: 5 } })
    const answer = await put({ values: { stripeKey: 'sk_live_1' } })
    expect(answer.status).toBe(200)
    expect((await read()).values).toMatchObject({
      apiUrl: { value: 'https://a.example', source: 'set', tier: 'public' },
      stripeKey: { value: 'sk_live_1', source: 'set', tier: 'secret' },
      checkout: { value: false, source: 'default', updatedAt: null },
      retries: { value: 5, updatedBy: { type: 'user', name: 'developer' } },
    })
  })

  it('makes one version and one audit event of a write, and neither of a write that changes nothing', async () => {
    const { version } = await read()
    const event = await expectOneEvent(app.test, 'value.set', () => put({ values: { retries: 6 } }))
    expect(event.detail).toMatchObject({ version: version + 1, keys: ['retries'] })
    expect((await read()).version).toBe(version + 1)
    await expectNoEvent(app.test, () => put({ values: { retries: 6, stripeKey: 'sk_live_1' } }))
    expect((await read()).version).toBe(version + 1)
  })

  it('keeps author and time of what keeps its value', async () => {
    const before = (await read()).values
    await put(
      { values: { retries: 7, apiUrl: 'https://a.example', stripeKey: 'sk_live_1' } },
      'm2m',
    )
    const after = (await read()).values
    expect(after.apiUrl).toEqual(before.apiUrl)
    expect(after.stripeKey).toEqual(before.stripeKey)
    expect(after.retries.updatedBy).toMatchObject({ type: 'api_key', name: 'the m2m key' })
  })

  it('makes the given set the whole set with ?replace=true', async () => {
    await put({ values: { apiUrl: 'https://b.example' } }, 'developer', '?replace=true')
    expect((await read()).values).toMatchObject({
      apiUrl: { value: 'https://b.example' },
      stripeKey: { source: 'missing' },
      retries: { value: 3, source: 'default' },
    })
  })

  it('stores nothing of a dry run and shows what would be', async () => {
    const before = await read()
    const answer = await put({ values: { retries: 9 }, dryRun: true })
    expect(answer.body.values.retries).toMatchObject({ value: 9, source: 'set' })
    expect(await read()).toEqual(before)
  })

  it('names the parameter that is missing when no key is named to delete', async () => {
    const path = `DELETE /config-values?schemaId=${schemaId}&environmentId=${env}`
    expect((await app.call('developer', path)).body).toMatchObject({
      status: 400,
      code: 'invalid_query',
      errors: [{ pointer: '?key', detail: 'Name at least one key.' }],
    })
  })

  it('loses no update of many writers at once', async () => {
    const keys = Array.from({ length: 12 }, (_, i) => `key${i}`)
    const many = await app.addSchema(
      'many',
      Object.fromEntries(keys.map((key) => [key, { type: 'number', tier: 'public' as const }])),
    )
    // Writes one after the other take a while on a slow machine, so a write that is refused for that is repeated.
    const write = async (
      values: Readonly<Record<string, number>>,
    ): ReturnType<ConfigApp['call']> => {
      const body = { schemaId: many, environmentId: env, values }
      const answer = await app.call('m2m', 'PUT /config-values', { body })
      return answer.status === 503 ? write(values) : answer
    }
    const answers = await Promise.all(
      keys.flatMap((key) => [1, 2, 3].map((value) => write({ [key]: value }))),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { version, values } = (
      await app.ok('m2m', `GET /config-values?schemaId=${many}&environmentId=${env}`)
    ).body
    expect(version).toBe(1 + 36)
    for (const key of keys) expect(values[key].source).toBe('set')
  })
})
