import { limits } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let env: string
let child: string
beforeAll(async () => {
  app = await openConfigApp()
  env = await app.addEnvironment('production')
  child = await app.addEnvironment('preview', env)
})
afterAll(() => app.close())

const set = (schemaId: string, environmentId: string, values: object) =>
  app.ok('m2m', 'PUT /config-values', { body: { schemaId, environmentId, values } })
const read = async (schemaId: string, environmentId = env) =>
  (await app.ok('m2m', `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`))
    .body
const replace = (ref: string, body: object, headers = {}) =>
  app.call('developer', `PUT /config-schemas/${ref}`, { body, headers })

describe('schemas', () => {
  it('show the tier of each key in the answer that creates them, and publish their defaults', async () => {
    const event = app.test
    const created = await app.ok('developer', 'POST /config-schemas', {
      body: {
        name: 'Web',
        description: 'The shop',
        schema: {
          flag: { type: 'boolean' },
          token: { type: 'string' },
          url: { type: 'string', tier: 'public', default: 'https://a', description: 'Where' },
        },
      },
    })
    expect(created.body).toMatchObject({
      name: 'Web',
      revision: 1,
      schema: {
        flag: { type: 'boolean', tier: 'featureFlags', required: true, hasDefault: false },
        token: { type: 'string', tier: 'secret', required: true, hasDefault: false },
        url: { tier: 'public', required: false, hasDefault: true, default: 'https://a' },
      },
    })
    const rows = await event.asOwner<{ body: string; version: number }>(
      'select body, version from browser_snapshots where schema_id = $1',
      [created.body.id],
    )
    expect(rows.map(({ version }) => version)).toEqual([1, 1])
    expect(JSON.parse(rows[0]?.body ?? '')).toMatchObject({
      public: { url: 'https://a' },
      featureFlags: {},
    })
  })

  it('are read by id and name, listed in pages, renamed and described', async () => {
    const id = await app.addSchema('api', { a: { type: 'string', tier: 'public' } })
    expect((await app.ok('viewer', 'GET /config-schemas/API')).body.id).toBe(id)
    const page = await app.ok('viewer', 'GET /config-schemas?limit=1')
    const next = await app.ok(
      'viewer',
      `GET /config-schemas?limit=1&cursor=${page.body.nextCursor}`,
    )
    expect([page.body.items[0].name, next.body.items[0].name]).toEqual(['Web', 'api'])
    const renamed = await app.ok('developer', `PATCH /config-schemas/${id}`, {
      body: { name: 'backend', description: 'All of it' },
    })
    expect(renamed.body).toMatchObject({ name: 'backend', description: 'All of it', revision: 2 })
    const late = await app.call('developer', `PATCH /config-schemas/${id}`, {
      body: { description: 'By somebody who has not seen it' },
      headers: { 'if-match': '"1"' },
    })
    expect(late.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
    const [row] = await app.test.asOwner<{ body: string }>(
      'select body from server_snapshots where schema_id = $1 order by version desc limit 1',
      [id],
    )
    expect(JSON.parse(row?.body ?? '')).toMatchObject({ schema: 'backend', version: 2 })
    const twin = await app.call('developer', `PATCH /config-schemas/${id}`, {
      body: { name: 'web' },
    })
    expect(twin.body).toMatchObject({ status: 409, code: 'already_exists' })
    const again = await app.call('developer', 'POST /config-schemas', {
      body: { name: 'WEB', schema: {} },
    })
    expect(again.body).toMatchObject({ status: 409, code: 'already_exists' })
  })

  it('refuse a variable that is forbidden, no name or that of another key, at its place', async () => {
    const secret = { type: 'string', tier: 'secret' }
    const open = { type: 'string', tier: 'public' }
    const cases: [schema: Record<string, object>, pointers: string[]][] = [
      [{ a: { ...secret, variable: 'LD_PRELOAD' } }, ['/schema/a/variable']],
      [{ a: { ...secret, variable: 'NEXT_PUBLIC_A' } }, ['/schema/a/variable']],
      [{ a: { ...open, variable: 'A=B' } }, ['/schema/a/variable']],
      [{ a: open, b: { ...open, variable: 'a' } }, ['/schema/b/variable']],
      [
        { a: { ...open, variable: 'X__Y' }, b: { ...secret, variable: 'x__y' } },
        ['/schema/a/variable', '/schema/b/variable'],
      ],
    ]
    const id = await app.addSchema('variables', {})
    for (const [schema, pointers] of cases) {
      for (const refused of [
        await replace(id, { schema }),
        await app.call('developer', 'POST /config-schemas', { body: { name: 'other', schema } }),
      ]) {
        expect([refused.status, refused.body.errors]).toMatchObject([
          422,
          pointers.map((pointer) => ({ pointer })),
        ])
      }
    }
    // Keys that only become the same variable have always been allowed.
    expect((await replace(id, { schema: { apiUrl: open, 'api.url': open } })).status).toBe(200)
  })

  it('publish a changed variable of a secret to servers alone, and keep it from pushes that do not say it', async () => {
    const secret = { type: 'string', tier: 'secret', default: 'x' }
    const open = { type: 'string', tier: 'public', default: 'x', variable: 'lower_case' }
    const id = await app.addSchema('named', { token: secret, open } as never)
    const bodies = async (table: string) =>
      (
        await app.test.asOwner<{ body: string }>(
          `select body from ${table} where schema_id = $1 and environment_id = $2 order by version`,
          [id, env],
        )
      ).map(({ body }) => JSON.parse(body).variables)
    await replace(id, { schema: { token: { ...secret, variable: 'Auth__Token' }, open } })
    await replace(id, { schema: { token: secret, open } })
    expect(await bodies('browser_snapshots')).toEqual([{ open: 'lower_case' }])
    expect((await bodies('server_snapshots')).at(-1)).toEqual({
      open: 'lower_case',
      token: 'Auth__Token',
    })
    expect((await read(id)).values.token).toMatchObject({ variable: 'Auth__Token' })
    await replace(id, { schema: { token: { ...secret, variable: '' }, open } })
    expect((await bodies('server_snapshots')).at(-1)).toEqual({ open: 'lower_case' })
  })

  it('are as many as an organization may have', async () => {
    await app.test.asOwner(
      `insert into config_schemas (org_id, id, name, definition)
       select $1, 'sch_fill' || n, 'fill' || n, '{}' from generate_series(1, $2) n`,
      [app.orgId, limits.schemasPerOrganization],
    )
    const answer = await app.call('developer', 'POST /config-schemas', {
      body: { name: 'more', schema: {} },
    })
    expect(answer.body).toMatchObject({ status: 409, code: 'quota_exceeded' })
    await app.test.asOwner(`delete from config_schemas where name like 'fill%'`)
  })

  it('can be deleted by admins, and with values only when forced', async () => {
    const id = await app.addSchema('doomed', { a: { type: 'string', tier: 'public' } })
    await set(id, env, { a: '1' })
    expect((await app.call('developer', `DELETE /config-schemas/${id}`)).status).toBe(403)
    const refused = await app.call('admin', `DELETE /config-schemas/${id}`)
    expect(refused.body).toMatchObject({ status: 409, code: 'schema_in_use' })
    await app.ok('admin', `DELETE /config-schemas/${id}?force=true`)
    expect((await app.call('admin', `GET /config-schemas/${id}`)).status).toBe(404)
    const left = await app.test.asOwner('select body from browser_snapshots where schema_id = $1', [
      id,
    ])
    expect(left).toEqual([{ body: null }, { body: null }])
  })
})

describe('replaceSchema', () => {
  it('reports what each environment lacks, and changes nothing when it is the same', async () => {
    const schema = {
      a: { type: 'string', tier: 'public' },
      s: { type: 'string', default: 'x' },
    } as const
    const id = await app.addSchema('same', schema)
    await set(id, env, { a: '1' })
    const same = await expectAnswer(() => replace(id, { schema }))
    expect(same.body).toMatchObject({
      revision: 1,
      report: [
        { environment: 'production', environmentId: env, missing: [], invalid: [], orphaned: [] },
        { environment: 'preview', environmentId: child, missing: [], invalid: [], orphaned: [] },
      ],
    })
    const more = { ...schema, b: { type: 'string', tier: 'public' } } as const
    const event = await expectOneEvent(app.test, 'schema.changed', () =>
      replace(id, { schema: more }),
    )
    expect(event.detail).toEqual({ revision: 2, keys: ['b'] })
    const one = await replace(id, { schema: more, environmentId: child })
    expect(one.body.report).toEqual([
      { environment: 'preview', environmentId: child, missing: ['b'], invalid: [], orphaned: [] },
    ])
    expect(one.headers.get('etag')).toBe('"2"')
  })

  async function expectAnswer(work: () => ReturnType<typeof replace>) {
    let answer: Awaited<ReturnType<typeof replace>> | undefined
    await expectNoEvent(app.test, async () => {
      answer = await work()
    })
    if (answer === undefined) throw new Error('There is no answer')
    return answer
  }

  it('refuses a change that breaks stored values, with the report, and does it when forced', async () => {
    const id = await app.addSchema('breaking', {
      n: { type: 'string', tier: 'public' },
      gone: { type: 'string', tier: 'public' },
      s: { type: 'string' },
    })
    await set(id, env, { n: 'abc', gone: '1', s: 'short-secret' })
    const schema = {
      n: { type: 'number', tier: 'public', default: 7 },
      s: { type: 'string', constraints: { minLength: 20 } },
    }
    const report = [
      {
        environment: 'production',
        environmentId: env,
        missing: [],
        invalid: [
          { key: 'n', detail: 'Use a number.' },
          { key: 's', detail: 'Use at least 20 characters.' },
        ],
        orphaned: ['gone'],
      },
      { environment: 'preview', environmentId: child, missing: [], invalid: [], orphaned: [] },
    ]
    const refused = await replace(id, { schema })
    expect(refused.body).toMatchObject({ status: 409, code: 'breaking_change', report })
    expect(refused.text).not.toContain('short-secret')
    const dry = await expectAnswer(() => replace(id, { schema, dryRun: true }))
    expect(dry.body).toEqual({ ...refused.body, instance: dry.body.instance })
    const dryForced = await expectAnswer(() => replace(id, { schema, dryRun: true, force: true }))
    expect(dryForced.body).toMatchObject({ report, schema: { n: { type: 'number' } } })
    expect((await app.ok('viewer', `GET /config-schemas/${id}`)).body.revision).toBe(1)
    const forced = await replace(id, { schema, force: true })
    expect(forced.body).toMatchObject({ revision: 2, report })
    expect((await read(id)).values).toMatchObject({
      n: { value: 7, source: 'default' },
      s: { value: 'short-secret', source: 'set' },
    })
    expect((await replace(id, { schema: { ...schema, more: { type: 'string' } } })).status).toBe(
      200,
    )
    const orphan = `DELETE /config-values?schemaId=${id}&environmentId=${env}&key=gone`
    await app.ok('developer', orphan)
    expect(
      (await app.ok('viewer', `GET /config-schemas/${id}/report`)).body.report[0].orphaned,
    ).toEqual([])
    expect((await app.call('developer', orphan)).body).toMatchObject({
      status: 422,
      code: 'unknown_key',
    })
  })

  it('publishes changed defaults as a version in every environment that has them', async () => {
    const id = await app.addSchema('defaults', {
      a: { type: 'string', tier: 'public', default: 'old' },
    })
    await set(id, env, { a: 'own' })
    await replace(id, { schema: { a: { type: 'string', tier: 'public', default: 'new' } } })
    expect((await read(id)).version).toBe(2)
    const plain = await app.addEnvironment('plain')
    expect((await read(id, plain)).values.a).toMatchObject({ value: 'new', source: 'default' })
    await replace(id, { schema: { a: { type: 'string', tier: 'public', default: 'newer' } } })
    expect((await read(id, plain)).version).toBe(2)
    const path = `GET /config-versions?schemaId=${id}&environmentId=${plain}`
    expect((await app.ok('viewer', path)).body.items[0]).toMatchObject({
      kind: 'schema',
      changes: [{ key: 'a', tier: 'public', change: 'changed' }],
    })
    await app.ok('admin', `DELETE /environments/${plain}`)
  })

  it('keeps a deprecation that a push cannot say, and takes it away where it is denied', async () => {
    const key = { type: 'string', tier: 'public' } as const
    const id = await app.addSchema('deprecating', { old: { ...key, declaredIn: 'dashboard' } })
    const shown = async () => (await app.ok('viewer', `GET /config-schemas/${id}`)).body.schema.old
    expect(await shown()).toMatchObject({ declaredIn: 'dashboard' })
    await replace(id, { schema: { old: { ...key, declaredIn: 'dashboard', deprecated: true } } })
    await replace(id, { schema: { old: { ...key, description: 'pushed' } } })
    expect(await shown()).toEqual({
      ...key,
      description: 'pushed',
      deprecated: true,
      required: true,
      hasDefault: false,
    })
    const matrix = await app.ok('viewer', `GET /config-matrix?schemaId=${id}`)
    expect(matrix.body.keys[0]).toMatchObject({ key: 'old', deprecated: true })
    await replace(id, { schema: { old: { ...key, deprecated: false } } })
    expect(await shown()).not.toHaveProperty('deprecated')
  })

  it('keeps the notes that a push does not say, and takes away those that it empties', async () => {
    const flag = { type: 'boolean', tier: 'featureFlags', default: false } as const
    const notes = { owner: 'Growth', tags: ['beta'], expires: '2027-01-31', killSwitch: true }
    const id = await app.addSchema('noted', { kill: { ...flag, ...notes } })
    const shown = async () => (await app.ok('viewer', `GET /config-schemas/${id}`)).body.schema.kill
    await replace(id, { schema: { kill: { ...flag, description: 'pushed' } } })
    expect(await shown()).toMatchObject({ description: 'pushed', ...notes })
    const matrix = await app.ok('viewer', `GET /config-matrix?schemaId=${id}`)
    expect(matrix.body.keys[0]).toMatchObject(notes)
    await replace(id, { schema: { kill: { ...flag, owner: 'Checkout', tags: [], expires: '' } } })
    expect(await shown()).toMatchObject({ owner: 'Checkout', killSwitch: true })
    expect(await shown()).not.toHaveProperty('tags')
    expect(await shown()).not.toHaveProperty('expires')
    await replace(id, { schema: { kill: { ...flag, tier: 'public' } } })
    expect(await shown()).toMatchObject({ owner: 'Checkout' })
    expect(await shown()).not.toHaveProperty('killSwitch')
  })

  it('publishes nothing for a note, which no client can read', async () => {
    const flag = { type: 'boolean', tier: 'featureFlags', default: false } as const
    const id = await app.addSchema('unread', { kill: flag })
    const versions = async () =>
      (await app.ok('viewer', `GET /config-versions?schemaId=${id}&environmentId=${env}`)).body
        .items.length
    const before = await versions()
    const owner = 'Owner of the unread'
    await replace(id, { schema: { kill: { ...flag, owner, killSwitch: true } } })
    expect(await versions()).toBe(before)
    await set(id, env, { kill: true })
    const rows = await app.test.asOwner<{ body: string }>(
      'select body from browser_snapshots union all select body from server_snapshots',
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toMatch(/Owner of the unread|killSwitch/)
  })

  it('seals what becomes a secret, in values, history and snapshots alike', async () => {
    const id = await app.addSchema('sealing', {
      k: { type: 'string', tier: 'public' },
      other: { type: 'string', tier: 'public' },
    })
    await set(id, env, { k: 'was-open-1', other: 'stays' })
    await set(id, env, { k: 'was-open-2' })
    const sealed = {
      k: { type: 'string', tier: 'secret' },
      other: { type: 'string', tier: 'public' },
    }
    expect((await replace(id, { schema: sealed })).status).toBe(200)
    expect((await read(id)).values.k).toMatchObject({
      value: 'was-open-2',
      tier: 'secret',
      source: 'set',
    })
    const tables = [
      'current_values',
      'config_versions',
      'browser_snapshots',
      'server_snapshots',
      'config_schemas',
    ]
    for (const table of tables) {
      const rows = await app.test.asOwner(
        `select t::text as row from ${table} t where org_id = $1`,
        [app.orgId],
      )
      expect(JSON.stringify(rows)).not.toContain('was-open')
    }
    const versions = await app.ok(
      'developer',
      `GET /config-versions?schemaId=${id}&environmentId=${env}`,
    )
    const first = versions.body.items.find((item: { version: number }) => item.version === 2)
    const restored = await app.ok('developer', `POST /config-versions/${first.id}/restore`, {
      body: {},
    })
    expect(restored.text).not.toContain('was-open')
    expect((await read(id)).values.k.value).toBe('was-open-1')
  })

  it('publishes what was a secret only when the key is named, by no force alone', async () => {
    const id = await app.addSchema('revealing', { k: { type: 'string' } })
    await set(id, env, { k: 'was-secret' })
    const schema = { k: { type: 'string', tier: 'public' } }
    const refused = await replace(id, { schema })
    expect(refused.body).toMatchObject({
      code: 'breaking_change',
      report: [{ invalid: [{ key: 'k' }] }, {}],
    })
    const forced = await replace(id, { schema, force: true, exposeKeys: ['other'] })
    expect(forced.body).toMatchObject({
      code: 'breaking_change',
      errors: [{ pointer: '/exposeKeys', code: 'breaking_change' }],
    })
    expect((await replace(id, { schema, exposeKeys: ['k'] })).status).toBe(200)
    const browser = await app.ok('b2m', `GET /config-values?schemaId=${id}&environmentId=${env}`)
    expect(browser.body.values.k.value).toBe('was-secret')
  })

  it('keeps a value that waits for a schema change from being checked against the old one', async () => {
    const id = await app.addSchema('racing', { k: { type: 'string', tier: 'public' } })
    for (let round = 0; round < 6; round++) {
      const [type, value] = round % 2 === 0 ? (['number', 1] as const) : (['string', 'x'] as const)
      const answers = await Promise.all([
        replace(id, {
          schema: { k: { type, tier: 'public' } },
          force: true,
          returning: { k: 'restore' },
        }),
        ...Array.from({ length: 4 }, () =>
          app.call('m2m', 'PUT /config-values', {
            body: { schemaId: id, environmentId: env, values: { k: value } },
          }),
        ),
      ])
      expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true)
      const { values } = await read(id)
      expect(values.k.value === undefined || typeof values.k.value === type).toBe(true)
    }
  })
})

describe('values that are sent with a definition', () => {
  const text = { type: 'string', tier: 'public' } as const
  const token = { type: 'string' } as const

  it('are stored with it, as one version of each environment and for those that inherit', async () => {
    const id = await app.addSchema('together', { a: text })
    const values = [{ environmentId: env, set: { token: 'canary-1', a: 'one' } }]
    const answer = await replace(id, { schema: { a: text, token }, values })
    expect(answer).toMatchObject({ status: 200, body: { revision: 2 } })
    expect(answer.text).not.toContain('canary')
    expect(await read(id)).toMatchObject({
      version: 2,
      values: { token: { value: 'canary-1' }, a: { value: 'one' } },
    })
    expect((await read(id, child)).values.token).toMatchObject({ source: 'inherited' })
    const { items } = (
      await app.ok('viewer', `GET /config-versions?schemaId=${id}&environmentId=${env}`)
    ).body
    expect(items[0]).toMatchObject({
      kind: 'write',
      changes: [
        { key: 'a', change: 'added' },
        { key: 'token', change: 'added' },
      ],
    })
    const event = await expectOneEvent(app.test, 'value.set', () =>
      replace(id, {
        schema: { a: text, token },
        values: [{ environmentId: env, set: { a: '2' } }],
      }),
    )
    expect(event.detail).toMatchObject({ environmentId: env, version: 3, keys: ['a'] })
  })

  it('are removed with it too, each fault with its pointer', async () => {
    const id = await app.addSchema('removed', { a: text, b: text })
    await replace(id, {
      schema: { a: text, b: text },
      values: [{ environmentId: env, set: { a: 'one', b: 'two' } }],
    })
    const values = [{ environmentId: env, set: { b: 'three' }, unset: ['a'] }]
    const answer = await replace(id, {
      schema: { a: { ...text, required: false }, b: text },
      values,
    })
    expect(answer).toMatchObject({ status: 200 })
    const stored = await read(id)
    expect(stored).toMatchObject({ values: { b: { value: 'three', source: 'set' } } })
    expect(stored.values['a']?.source).not.toBe('set')
    for (const [unset, pointer] of [
      [['b'], '/values/0/unset/0'],
      [['nobody'], '/values/0/unset/0'],
    ] as const) {
      const refused = await replace(id, {
        schema: { a: text, b: text },
        values: [{ environmentId: env, set: { b: 'four' }, unset }],
      })
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer }] } })
    }
  })

  it('are refused with it, each fault with its pointer, and then nothing is stored', async () => {
    const id = await app.addSchema('neither', { a: text })
    const number = { type: 'number', tier: 'public' } as const
    for (const [values, problem] of [
      [
        [{ environmentId: env, set: { size: 'many', nobody: 1 } }],
        {
          status: 422,
          body: {
            errors: [
              { pointer: '/values/0/set/size', code: 'type_mismatch' },
              { pointer: '/values/0/set/nobody', code: 'unknown_key' },
            ],
          },
        },
      ],
      [
        [
          { environmentId: env, set: { size: 1 } },
          { environmentId: env, set: { size: 2 } },
        ],
        { status: 422, body: { errors: [{ pointer: '/values/1/environmentId' }] } },
      ],
      [
        [{ environmentId: 'env_01jd2m4x9k0000000000000001', set: {} }],
        { status: 422, body: { errors: [{ pointer: '/values/0/environmentId' }] } },
      ],
    ] as const) {
      await expectNoEvent(app.test, async () => {
        const answer = await replace(id, { schema: { a: text, size: number }, values })
        expect(answer).toMatchObject(problem)
      })
    }
    const { body } = await app.ok('viewer', `GET /config-schemas/${id}`)
    expect(body).toMatchObject({ revision: 1 })
    expect(Object.keys(body.schema)).toEqual(['a'])
  })

  it('publish no secret that they replace without its name in exposeKeys', async () => {
    const id = await app.addSchema('replaced', { token })
    await set(id, env, { token: 'canary-2' })
    const values = [{ environmentId: env, set: { token: 'public now' } }]
    const body = { schema: { token: text }, values, force: true }
    const refused = await replace(id, body)
    expect(refused.body).toMatchObject({ code: 'breaking_change', exposes: ['token'] })
    expect(await replace(id, { ...body, exposeKeys: ['token'] })).toMatchObject({ status: 200 })
    for (const path of ['values', 'versions']) {
      const query = `schemaId=${id}&environmentId=${env}`
      const { text: shown } = await app.ok('viewer', `GET /config-${path}?${query}`)
      expect(shown).not.toContain('canary')
    }
  })

  it('ask for what a protected environment requires, and a dry run stores nothing', async () => {
    const guarded = await app.addEnvironment('guarded')
    await app.ok('admin', `PATCH /environments/${guarded}`, {
      body: { protection: { confirm: true, comment: false } },
    })
    const id = await app.addSchema('guarded', { a: text })
    const values = [{ environmentId: guarded, set: { a: 'one' } }]
    const body = { schema: { a: text }, values }
    expect(await replace(id, { ...body, dryRun: true })).toMatchObject({ status: 200 })
    expect((await read(id, guarded)).values.a).toMatchObject({ source: 'missing' })
    expect((await replace(id, body)).body.code).toBe('confirmation_required')
    expect(await replace(id, { ...body, confirm: ['guarded'] })).toMatchObject({ status: 200 })
    expect((await read(id, guarded)).values.a).toMatchObject({ value: 'one' })
  })
})
