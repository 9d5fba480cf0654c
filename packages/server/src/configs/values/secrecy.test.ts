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
})
afterAll(() => app.close())

const set = (environmentId: string, values: object) =>
  app.ok('m2m', 'PUT /config-values', { body: { schemaId, environmentId, values } })
/** Returns everything that a browser could receive: the answers here, and the rows its snapshots are made of. */
const browserWorld = async () => ({
  answers: await Promise.all(
    [parent, child].map(
      async (id) =>
        (await app.ok('b2m', `GET /config-values?schemaId=${schemaId}&environmentId=${id}`)).text,
    ),
  ),
  rows: await app.test.asOwner(
    'select *, xmin::text from browser_snapshots where org_id = $1 order by schema_id, environment_id, version',
    [app.orgId],
  ),
})
const serverRows = () => app.test.asOwner('select version from server_snapshots')

describe('a change that touches only secrets', () => {
  const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['set', () => set(parent, { stripeKey: 'canary-1', hidden: true })],
    ['changed', () => set(parent, { stripeKey: 'canary-2' })],
    ['overridden below', () => set(child, { stripeKey: 'canary-3' })],
    [
      'deleted',
      () =>
        app.ok(
          'm2m',
          `DELETE /config-values?schemaId=${schemaId}&environmentId=${child}&key=stripeKey`,
        ),
    ],
  ]

  it.each(changes)(
    'changes nothing that a browser could see when it is %s',
    async (_how, change) => {
      const [before, servers] = [await browserWorld(), await serverRows()]
      await change()
      expect(await browserWorld()).toEqual(before)
      expect((await serverRows()).length).toBeGreaterThan(servers.length)
    },
  )

  it('control: the same look finds a change of a public value, of a flag, and of a flag below', async () => {
    let before = await browserWorld()
    for (const values of [{ api: 'https://b.example' }, { on: true }]) {
      await set(parent, values)
      const after = await browserWorld()
      expect(after.rows.length).toBe(before.rows.length + 2)
      expect(after.answers[0]).not.toBe(before.answers[0])
      expect(after.answers[1]).not.toBe(before.answers[1])
      before = after
    }
  })

  it('control: a browser key that was answered like a server key would give secrets away', async () => {
    const path = `GET /config-values?schemaId=${schemaId}&environmentId=${parent}`
    expect((await app.ok('m2m', path)).text).toContain('canary-2')
    const answer = await app.ok('b2m', path)
    expect(answer.text).not.toMatch(/canary|stripeKey|hidden|secret/)
    expect(Object.keys(answer.body.values)).toEqual(['api', 'on'])
  })
})

describe('secrets', () => {
  it('are nowhere in the database in the clear: values, defaults, versions, snapshots, events', async () => {
    await set(parent, { stripeKey: 'canary-"ä\\n' })
    await app.ok('m2m', 'POST /config-schemas', {
      body: { name: 'other', schema: { s: { type: 'string', default: 'canary-other' } } },
      headers: { 'idempotency-key': 'a-key-of-sixteen-letters' },
    })
    const tables = await app.test.asOwner<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = current_schema()`,
    )
    const dump: string[] = []
    for (const { name } of tables) {
      const rows = await app.test.asOwner(`select t::text as row from ${name} t`)
      dump.push(JSON.stringify(rows))
    }
    const all = dump.join('\n')
    expect(all).not.toContain('canary-1')
    expect(all).not.toContain('canary-2')
    expect(all).not.toContain('canary-"')
    expect(all).not.toContain('canary-default')
    expect(all).not.toContain('canary-other')
    expect(all).toContain('https://b.example')
  })

  it('are nowhere in the clear that were public before: as values, as defaults, with and without a default now', async () => {
    const text = { type: 'string', tier: 'public' } as const
    const id = await app.addSchema('opened', {
      byDefault: { ...text, default: 'canary-was-default' },
      replaced: { ...text, default: 'canary-was-replaced' },
      set: text,
    })
    const values = { set: 'canary-was-set' }
    await app.ok('m2m', 'PUT /config-values', {
      body: { schemaId: id, environmentId: child, values },
    })
    const find = async () => {
      const rows = await Promise.all(
        [
          'config_versions',
          'config_schemas',
          'current_values',
          'browser_snapshots',
          'server_snapshots',
        ].map((name) =>
          app.test.asOwner(`select t::text as row from ${name} t where org_id = $1`, [app.orgId]),
        ),
      )
      return new Set(JSON.stringify(rows).match(/canary-was-\w+/g))
    }
    // Control: before, the same look finds all three.
    expect((await find()).size).toBe(3)
    const secret = { type: 'string', tier: 'secret' } as const
    const schema = { byDefault: secret, replaced: { ...secret, default: 'x' }, set: secret }
    await app.ok('m2m', `PUT /config-schemas/${id}`, { body: { schema, force: true } })
    expect(await find()).toEqual(new Set())
  })

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

  it('are not in the history, only that they changed', async () => {
    const list = await app.ok(
      'm2m',
      `GET /config-versions?schemaId=${schemaId}&environmentId=${parent}`,
    )
    expect(list.text).not.toContain('canary')
    for (const { id } of list.body.items) {
      const { text } = await app.ok('m2m', `GET /config-versions/${id}`)
      expect(text).not.toContain('canary')
    }
    const last = list.body.items[0]
    expect(last.changes).toEqual([{ key: 'stripeKey', tier: 'secret', change: 'changed' }])
  })
})

describe('a browser key', () => {
  it('may do nothing but read, and hears so before anything is looked at', async () => {
    const requests = [
      'POST /environments',
      'PATCH /environments/staging',
      'DELETE /environments/staging',
      'GET /environments',
      'GET /config-schemas',
      'POST /config-schemas',
      'PUT /config-schemas/web',
      'DELETE /config-schemas/web',
      'PUT /config-values',
      'DELETE /config-values?schemaId=x&environmentId=y&key=z',
      'POST /config-values/promote',
      'GET /config-versions',
      'POST /config-versions/x/restore',
    ]
    const before = await app.test.asOwner('select * from current_values')
    for (const request of requests) {
      const { body } = await app.call('b2m', request, request.startsWith('GET') ? {} : { body: {} })
      expect(body).toMatchObject({ status: 403, code: 'key_kind_forbidden' })
      const foreign = await app.call(
        'strangeB2m',
        request,
        request.startsWith('GET') ? {} : { body: {} },
      )
      expect(foreign.status).toBe(404)
    }
    expect(await app.test.asOwner('select * from current_values')).toEqual(before)
  })

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
