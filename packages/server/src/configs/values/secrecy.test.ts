import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildKey, openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let parent: string
let child: string
let schemaId: string
beforeAll(async () => {
  app = await openConfigApp()
  parent = await app.addEnvironment('staging')
  child = await app.addEnvironment('production', parent)
  schemaId = await app.addSchema('web', {
    api: { type: 'string', tier: 'public', default: 'https://a.example' },
    stripeKey: { type: 'string', default: 'canary-default', description: 'canary-description' },
    hidden: { type: 'boolean', tier: 'secret' },
    on: { type: 'boolean', default: false },
  })
  const values = { stripeKey: 'canary-"ä\\n', hidden: true }
  await app.ok('m2m', 'PUT /config-values', { body: { schemaId, environmentId: parent, values } })
})
afterAll(() => app.close())

describe('secrets', () => {
  it('are shown to people from developer upwards when they ask, and that is written down', async () => {
    const path = `GET /config-values?schemaId=${schemaId}&environmentId=${parent}`
    expect((await app.call('viewer', `${path}&reveal=true`)).body).toMatchObject({
      status: 403,
      code: 'role_forbidden',
    })
    const events = () =>
      app.test.asOwner(`select detail from audit_events where action = 'secret.revealed'`)
    expect(await events()).toEqual([])
    const shown = await app.ok('developer', `${path}&reveal=true`)
    expect(shown.body.values.stripeKey.value).toBe('canary-"ä\\n')
    expect(await events()).toEqual([
      { detail: { environmentId: parent, keys: ['stripeKey', 'hidden'] } },
    ])
    expect((await app.ok('developer', path)).body.values.stripeKey).not.toHaveProperty('value')
    expect((await app.ok('bootstrap', `${path}&reveal=true`)).text).toContain('canary')
    const browser = await app.ok('b2m', `${path}&reveal=true`)
    expect(browser.text).not.toContain('canary')
  })

  it('are read by a server key with one note an hour, and without one where there are none', async () => {
    const reads = () =>
      app.test.asOwner(
        `select target, detail from audit_events where action = 'secret.read_by_key'`,
      )
    const fresh = await app.addSchema('fresh', { s: { type: 'string' } })
    const read = () => app.ok('m2m', `GET /config-values?schemaId=${fresh}&environmentId=${child}`)
    const before = (await reads()).length
    await app.ok('developer', 'PUT /config-values', {
      body: { schemaId: fresh, environmentId: child, values: { s: 'x' } },
    })
    await read()
    await read()
    expect((await reads()).slice(before)).toEqual([
      {
        target: { type: 'config_values', id: fresh, name: 'fresh' },
        detail: { environmentId: child, keys: ['s'] },
      },
    ])
  })

  it('that a server key reads are counted for it, and those that a person or a browser key asks for are not', async () => {
    const selection = `schemaId=${schemaId}&environmentId=${child}`
    const countReads = async (as: string, query = '') => {
      const before = app.secretReads.length
      await app.ok(as, `GET /config-values?${selection}${query}`)
      return app.secretReads.length - before
    }
    expect([await countReads('m2m'), await countReads('m2m')]).toEqual([1, 1])
    expect([await countReads('b2m'), await countReads('developer', '&reveal=true')]).toEqual([0, 0])
  })

  it('have defaults that only server keys see', async () => {
    for (const as of ['owner', 'viewer', 'bootstrap']) {
      const { body, text } = await app.ok(as, 'GET /config-schemas/web')
      expect(text).not.toContain('canary-default')
      expect(body.schema.stripeKey).toMatchObject({ hasDefault: true, tier: 'secret' })
    }
    const { body } = await app.ok('m2m', 'GET /config-schemas/web')
    expect(body.schema.stripeKey.default).toBe('canary-default')
    expect(
      (await app.ok('m2m', 'GET /config-schemas')).body.items[0].schema.stripeKey.default,
    ).toBe('canary-default')
  })
})

describe('a browser key', () => {
  it('learns of nobody who set a value, and of no environment out of its reach', async () => {
    await app.ok('developer', 'PUT /config-values', {
      body: { schemaId, environmentId: parent, values: { api: 'https://c.example' } },
    })
    const path = `GET /config-values?schemaId=${schemaId}&environmentId=${child}`
    const shown = (await app.ok('viewer', path)).body.values.api
    expect(shown).toMatchObject({ inheritedFrom: parent, updatedBy: { name: 'developer' } })
    const unrestricted = await app.ok('b2m', path)
    expect(unrestricted.body.values.api).toMatchObject({ inheritedFrom: parent, updatedBy: null })
    app.setActor('narrow', buildKey(app.orgId, 'b2m', { environmentIds: [child] }))
    const restricted = await app.ok('narrow', path)
    expect(restricted.body.values.api).toMatchObject({ source: 'inherited', updatedBy: null })
    for (const { text } of [unrestricted, restricted]) {
      expect(text).not.toContain('developer')
      expect(text).not.toContain(shown.updatedBy.id)
    }
    expect(restricted.text).not.toContain(parent)
  })
})
