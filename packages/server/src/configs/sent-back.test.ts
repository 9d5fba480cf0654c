import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from './testing/open-config-app.ts'

let opened: ConfigApp
let app: ConfigApp
beforeAll(async () => {
  opened = await openConfigApp()
})
beforeEach(async () => {
  app = await opened.another()
})
afterAll(() => opened.close())

const schema = {
  hidden: {
    type: 'string',
    tier: 'secret',
    default: 'sekret-default',
    constraints: { minLength: 3 },
  },
  shown: { type: 'string', tier: 'public', default: 'x', description: 'Seen by all' },
  needed: { type: 'number', tier: 'public' },
  flag: { type: 'boolean', default: false },
  token: { type: 'string', tier: 'secret' },
} as const

const rules = [{ when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: true }]

/** Makes an environment with a child, and a schema with values in both, one of them from the parent. */
async function makeFixture(name: string) {
  const parentId = await app.addEnvironment(`${name}-parent`)
  const environmentId = await app.addEnvironment(name, parentId)
  const schemaId = await app.addSchema(name, schema)
  const set = (id: string, values: object, more = {}) =>
    app.ok('m2m', 'PUT /config-values', {
      body: { schemaId, environmentId: id, values, ...more },
    })
  await set(parentId, { shown: 'from the parent', token: 'sekret-of-parent' })
  await set(
    environmentId,
    { needed: 3, token: 'sekret-token', flag: false },
    { rules: { flag: rules } },
  )
  const at = `schemaId=${schemaId}&environmentId=${environmentId}`
  const defaultOf = async () => {
    const { body } = await app.ok('m2m', `GET /config-schemas/${schemaId}`)
    return body.schema.hidden.default
  }
  return { schemaId, environmentId, parentId, at, path: `/config-schemas/${schemaId}`, defaultOf }
}

describe('A schema that was read', () => {
  it.each(['developer', 'm2m'])('is replaced by itself without a change, by %s', async (as) => {
    const { path, defaultOf } = await makeFixture(`same-${as}`)
    const read = await app.ok(as, `GET ${path}`)
    const written = await app.ok(as, `PUT ${path}`, { body: read.body })
    expect(written.body).toEqual({ ...read.body, report: expect.any(Array), requires: [] })
    expect(written.headers.get('etag')).toBe(read.headers.get('etag'))
    expect((await app.ok(as, `PUT ${path}`, { body: written.body })).status).toBe(200)
    expect(await defaultOf()).toBe('sekret-default')
  })

  it('has its revision as ETag, which a write is compared with', async () => {
    const { path } = await makeFixture('tagged')
    const read = await app.ok('developer', `GET ${path}`)
    expect(read.headers.get('etag')).toBe(`"${read.body.revision}"`)
  })

  it('is sent whole although the reader holds its tag: more changes in it than the tag counts', async () => {
    const { path } = await makeFixture('untagged')
    const read = await app.ok('developer', `GET ${path}`)
    await app.ok('developer', `PATCH ${path}`, { body: { description: 'Changed' } })
    const again = await app.ok('developer', `GET ${path}`, {
      headers: { 'if-none-match': read.headers.get('etag') ?? '' },
    })
    expect(again.body.description).toBe('Changed')
  })

  it('is refused with 412 when somebody else has changed the definition since', async () => {
    const { path } = await makeFixture('stale')
    const { body } = await app.ok('developer', `GET ${path}`)
    const added = { ...body.schema, more: { type: 'boolean' } }
    await app.ok('developer', `PUT ${path}`, { body: { schema: added } })
    const late = await app.call('developer', `PUT ${path}`, { body })
    expect(late.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
    const { revision: _revision, ...unversioned } = body
    const forced = { ...unversioned, schema: added }
    expect((await app.ok('developer', `PUT ${path}`, { body: forced })).body.schema).toHaveProperty(
      'more',
    )
  })

  it('is refused when If-Match and the revision in the body differ', async () => {
    const { path } = await makeFixture('two-revisions')
    const { body } = await app.ok('developer', `GET ${path}`)
    const answer = await app.call('developer', `PUT ${path}`, {
      body,
      headers: { 'if-match': '"7"' },
    })
    expect(answer.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
  })

  it('is refused in the place of another one, and never renamed by its name', async () => {
    const { path } = await makeFixture('mine')
    const other = await makeFixture('other')
    const { body } = await app.ok('developer', `GET ${other.path}`)
    const foreign = await app.call('developer', `PUT ${path}`, { body })
    expect(foreign.body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/id' }, { pointer: '/name' }],
    })
    const mine = await app.ok('developer', `GET ${path}`)
    const renamed = await app.call('developer', `PUT ${path}`, {
      body: { ...mine.body, name: 'new' },
    })
    expect(renamed.body).toMatchObject({ status: 422, errors: [{ pointer: '/name' }] })
  })

  it('still takes no field that it does not have', async () => {
    const { path } = await makeFixture('unknown')
    const { body } = await app.ok('developer', `GET ${path}`)
    const answer = await app.call('developer', `PUT ${path}`, { body: { ...body, colour: 'red' } })
    expect(answer.body).toMatchObject({ code: 'unknown_field', errors: [{ pointer: '/colour' }] })
  })
})

describe('The default of a secret', () => {
  it('is not lost by a definition that leaves it out: 409 that names the key and what to do', async () => {
    const { path, defaultOf } = await makeFixture('left-out')
    const { default: _default, ...hidden } = schema.hidden
    for (const more of [{}, { force: true }, { dryRun: true }]) {
      const body = { schema: { ...schema, hidden }, ...more }
      const refused = await app.call('developer', `PUT ${path}`, { body })
      expect(refused.body).toMatchObject({
        status: 409,
        code: 'breaking_change',
        errors: [{ pointer: '/schema/hidden/hasDefault' }],
        losesDefaults: ['hidden'],
      })
      expect(refused.body.detail).toContain('"hasDefault": true')
      expect(refused.text).not.toContain('sekret')
    }
    expect(await defaultOf()).toBe('sekret-default')
  })

  it('stays with "hasDefault": true, is replaced by another, and ends with "hasDefault": false', async () => {
    const { path, defaultOf, environmentId, schemaId } = await makeFixture('meant')
    const { default: _default, ...hidden } = schema.hidden
    const put = (key: object) =>
      app.ok('developer', `PUT ${path}`, {
        body: { schema: { ...schema, hidden: { ...hidden, ...key } } },
      })
    await put({ hasDefault: true, description: 'Kept' })
    expect(await defaultOf()).toBe('sekret-default')
    const values = await app.ok(
      'm2m',
      `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`,
    )
    expect(values.body.values.hidden).toMatchObject({ value: 'sekret-default', source: 'default' })
    await put({ default: 'sekret-other', hasDefault: true })
    expect(await defaultOf()).toBe('sekret-other')
    expect((await put({ hasDefault: false })).body.schema.hidden.hasDefault).toBe(false)
    expect(await defaultOf()).toBeUndefined()
  })

  it('is not published by a key that is a secret no longer, and not kept against its constraints', async () => {
    const { path, defaultOf } = await makeFixture('published')
    const { default: _default, ...hidden } = schema.hidden
    const put = (key: object) =>
      app.call('developer', `PUT ${path}`, {
        body: { schema: { ...schema, hidden: { ...hidden, hasDefault: true, ...key } } },
      })
    const at = { status: 422, errors: [{ pointer: '/schema/hidden/hasDefault' }] }
    for (const key of [
      { tier: 'public' },
      { constraints: { minLength: 50 } },
      { type: 'number', constraints: {} },
    ]) {
      const refused = await put(key)
      expect(refused.body).toMatchObject(at)
      expect(refused.text).not.toContain('sekret')
    }
    expect(await defaultOf()).toBe('sekret-default')
  })

  it('stays when a public key with a default becomes a secret', async () => {
    const { path } = await makeFixture('sealed')
    const shown = { type: 'string', tier: 'secret', hasDefault: true }
    await app.ok('developer', `PUT ${path}`, { body: { schema: { ...schema, shown } } })
    const read = await app.ok('m2m', `GET ${path}`)
    expect(read.body.schema.shown).toMatchObject({ tier: 'secret', default: 'x' })
  })

  it('cannot be kept where there is none, and contradicts a default beside it', async () => {
    const { path } = await makeFixture('nothing')
    const of = (token: object) => ({ schema: { ...schema, token: { ...schema.token, ...token } } })
    const at = { status: 422, errors: [{ pointer: '/schema/token/hasDefault' }] }
    const call = (request: string, body: object) => app.call('developer', request, { body })
    expect((await call(`PUT ${path}`, of({ hasDefault: true }))).body).toMatchObject(at)
    const both = of({ hasDefault: false, default: 'abc' })
    expect((await call(`PUT ${path}`, both)).body).toMatchObject(at)
    const created = { name: 'copied', ...of({ hasDefault: true }) }
    expect((await call('POST /config-schemas', created)).body).toMatchObject(at)
  })
})

describe('Values that were read', () => {
  it.each(['developer', 'm2m'])('are set by themselves without a change, by %s', async (as) => {
    const { at, environmentId, schemaId } = await makeFixture(`values-${as}`)
    const read = await app.ok(as, `GET /config-values?${at}`)
    expect(read.headers.get('etag')).toBe(`"${read.body.version}"`)
    for (const query of ['', '?replace=true']) {
      const written = await app.ok(as, `PUT /config-values${query}`, { body: read.body })
      expect(written.body).toEqual(read.body)
    }
    const versions = await app.ok(
      as,
      `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}`,
    )
    expect(versions.body.items[0].version).toBe(read.body.version)
  })

  it('are changed where their value or their rules are edited, and nowhere else', async () => {
    const { at } = await makeFixture('edited')
    const { body } = await app.ok('developer', `GET /config-values?${at}`)
    const { values } = body
    values.shown.value = 'set here'
    values.token.value = 'sekret-new'
    values.flag.rules = []
    const written = await app.ok('developer', 'PUT /config-values', { body })
    expect(written.body.values).toMatchObject({
      shown: { value: 'set here', source: 'set' },
      needed: values.needed,
      hidden: values.hidden,
    })
    expect(written.body.values.flag).not.toHaveProperty('rules')
    const opened = await app.ok('m2m', `GET /config-values?${at}`)
    expect(opened.body.values.token).toMatchObject({ value: 'sekret-new', source: 'set' })
    expect(opened.body.values.hidden).toMatchObject({ source: 'default' })
  })

  it('are refused with 412 when somebody else has saved since', async () => {
    const { at, schemaId, environmentId } = await makeFixture('values-stale')
    const { body } = await app.ok('developer', `GET /config-values?${at}`)
    await app.ok('m2m', 'PUT /config-values', {
      body: { schemaId, environmentId, values: { needed: 4 } },
    })
    const late = await app.call('developer', 'PUT /config-values', { body })
    expect(late.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
  })

  it('bring no secret along to an environment that has none: 422 at the key', async () => {
    const { at, parentId } = await makeFixture('copied')
    const { body } = await app.ok('developer', `GET /config-values?${at}`)
    const child = await app.addEnvironment('copied-empty', parentId)
    const { version: _version, ...unversioned } = body
    const copy = { ...unversioned, environmentId: child }
    const refused = await app.call('developer', 'PUT /config-values', { body: copy })
    expect(refused.body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/values/token/value' }],
    })
    delete copy.values.token
    const written = await app.ok('developer', 'PUT /config-values', { body: copy })
    expect(written.body.values).toMatchObject({
      needed: { value: 3, source: 'set' },
      flag: { rules, source: 'set' },
      shown: { source: 'inherited' },
    })
  })

  it('name the place of what is no entry of theirs', async () => {
    const { schemaId, environmentId } = await makeFixture('no-entry')
    const put = (entry: unknown) =>
      app.call('developer', 'PUT /config-values', {
        body: { schemaId, environmentId, values: { needed: entry } },
      })
    expect((await put({ value: 3, colour: 'red' })).body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/values/needed/colour', code: 'unknown_field' }],
    })
    expect((await put({ value: 'three' })).body).toMatchObject({
      errors: [{ pointer: '/values/needed', code: 'type_mismatch' }],
    })
    expect((await put([3])).body).toMatchObject({
      errors: [{ pointer: '/values/needed', code: 'type_mismatch' }],
    })
  })
})

describe('An environment that was read', () => {
  it('is changed by itself without a change, and by a field that is edited', async () => {
    const path = `/environments/${await app.addEnvironment('whole')}`
    const { body } = await app.ok('admin', `GET ${path}`)
    expect((await app.ok('admin', `PATCH ${path}`, { body })).body).toEqual(body)
    const edited = { ...body, description: 'For demos' }
    const written = await app.ok('admin', `PATCH ${path}`, { body: edited })
    expect(written.body).toMatchObject({ description: 'For demos', revision: 2 })
    const late = await app.call('admin', `PATCH ${path}`, { body })
    expect(late.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
  })

  it('is refused in the place of another one', async () => {
    const [one, other] = [await app.addEnvironment('one'), await app.addEnvironment('another')]
    const { body } = await app.ok('admin', `GET /environments/${one}`)
    const answer = await app.call('admin', `PATCH /environments/${other}`, { body })
    expect(answer.body).toMatchObject({ status: 422, errors: [{ pointer: '/id' }] })
  })
})
