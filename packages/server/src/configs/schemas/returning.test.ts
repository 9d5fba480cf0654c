import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let production: string
let region: string
beforeAll(async () => {
  app = await openConfigApp()
  const body = { name: 'production', protection: { confirm: true } }
  production = (await app.ok('admin', 'POST /environments', { body })).body.id
  region = await app.addEnvironment('region', production)
})
afterAll(() => app.close())

const flag = { type: 'boolean', default: false } as const
const rules = [{ when: [], serve: { percent: 25 } }]
const confirm = ['production']

/** Returns a schema that has lost a flag, a text and a secret, each with a value in production. */
async function createFixture(name: string) {
  const all = {
    beta: flag,
    theme: { type: 'string', tier: 'public', default: 'light' },
    token: { type: 'string', tier: 'secret' },
  } as const
  const id = await app.addSchema(name, { stays: flag, ...all })
  const values = { beta: true, theme: 'dark', token: 'sekret-of-earlier' }
  const stored = {
    schemaId: id,
    environmentId: production,
    values,
    rules: { beta: rules },
    confirm,
  }
  await app.ok('developer', 'PUT /config-values', { body: stored })
  const put = (body: object, as = 'developer') =>
    app.call(as, `PUT /config-schemas/${id}`, { body: { confirm, ...body } })
  const read = async (environmentId: string) => {
    const query = `schemaId=${id}&environmentId=${environmentId}`
    return (await app.ok('m2m', `GET /config-values?${query}`)).body.values
  }
  expect((await put({ schema: { stays: flag }, force: true })).status).toBe(200)
  return { all, put, read, schema: { stays: flag, ...all } }
}

describe('a key that was removed and is declared again', () => {
  it('is named with environment and value, in a dry run too, and brings nothing back unasked', async () => {
    const { put, read, schema } = await createFixture('unasked')
    for (const how of [{ dryRun: true }, {}, { force: true }, { returning: { beta: 'restore' } }]) {
      const { status, body } = await put({ schema, ...how })
      expect([status, body.code]).toEqual([409, 'breaking_change'])
      const entry = body.report.find((one: object) => 'returning' in one)
      expect(entry).toMatchObject({
        environment: 'production',
        returning: [
          { key: 'beta', tier: 'featureFlags', value: true, rules },
          { key: 'theme', tier: 'public', value: 'dark' },
          { key: 'token', tier: 'secret' },
        ],
      })
      expect(JSON.stringify(body)).not.toContain('sekret-of-earlier')
      expect(await read(production)).not.toHaveProperty('beta')
    }
  })

  it('is a change of the environments that get it back, and restores or forgets each key', async () => {
    const { put, read, schema } = await createFixture('chosen')
    const returning = { beta: 'restore', theme: 'forget', token: 'restore' }
    const unconfirmed = await put({ schema, returning, confirm: [] })
    expect(unconfirmed.body.code).toBe('confirmation_required')
    const done = await put({ schema, returning })
    expect(done.status).toBe(200)
    expect(JSON.stringify(done.body.report)).toContain('"returning":[{"key":"beta"')
    for (const environmentId of [production, region]) {
      const values = await read(environmentId)
      expect(values.beta).toMatchObject({ value: true, rules })
      expect(values.theme).toMatchObject({ value: 'light', source: 'default' })
      expect(values.token.value).toBe('sekret-of-earlier')
    }
    // Nothing returns twice, and what is forgotten stays away.
    expect((await put({ schema })).body.report[0]).not.toHaveProperty('returning')
  })

  it('needs no word where the request itself sets or removes the value, nor for a new key', async () => {
    const { put, read, schema } = await createFixture('edited')
    const values = [
      { environmentId: production, set: { beta: false, theme: 'blue' }, unset: ['token'] },
    ]
    expect((await put({ schema: { ...schema, fresh: flag }, values })).status).toBe(200)
    const { beta, theme, token } = await read(production)
    expect([beta.value, theme.value, token.value]).toEqual([false, 'blue', undefined])
  })

  it('counts where it was of another type in between', async () => {
    const { put, read } = await createFixture('retyped')
    const schemaOf = (theme: object) => ({ stays: flag, theme })
    const text = { type: 'string', tier: 'public', default: 'light' }
    const number = { type: 'number', tier: 'public', default: 1 }
    expect((await put({ schema: schemaOf(number), force: true })).status).toBe(200)
    expect((await read(production)).theme).toMatchObject({ value: 1, source: 'default' })
    expect((await put({ schema: schemaOf(text) })).body.returns).toEqual(['theme'])
    expect((await put({ schema: schemaOf(text), returning: { theme: 'forget' } })).status).toBe(200)
    expect((await read(production)).theme).toMatchObject({ value: 'light' })
  })
})
