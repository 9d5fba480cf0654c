import { limits } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { buildKey, openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let production: string
let schemaId: string

const plan = (value: string) => ({ attribute: 'plan', operator: 'equals', value })
const groups = (...plans: readonly string[]) => plans.map((value) => ({ when: [plan(value)] }))
const inSegment = (segment: string) => ({ operator: 'segment', segment })

beforeAll(async () => {
  app = await openConfigApp()
  production = await app.addEnvironment('production')
  schemaId = await app.addSchema('web', { checkout: { type: 'boolean' } })
})
afterAll(() => app.close())

const create = (name: string, more: object = {}, as = 'developer') =>
  app.call(as, 'POST /segments', { body: { name, anyOf: groups('pro'), ...more } })
const replace = (name: string, body: object, options: { as?: string; headers?: object } = {}) =>
  app.call(options.as ?? 'developer', `PUT /segments/${name}`, {
    body: { anyOf: groups('pro'), ...body },
    headers: { ...options.headers },
  })
const use = (...segments: readonly string[]) =>
  app.call('developer', 'PUT /config-values', {
    body: {
      schemaId,
      environmentId: production,
      values: { checkout: false },
      rules: { checkout: segments.map((name) => ({ when: [inSegment(name)], serve: true })) },
    },
  })
const countStored = async () =>
  app.test.asOwner(`select (select count(*) from segments)::int as segments,
    (select count(*) from segment_versions)::int as versions, (select count(*) from segment_uses)::int as uses,
    (select sum(version) from current_values)::int as heads`)

describe('a segment', () => {
  it('is created, read, listed and changed, and each change is a version', async () => {
    const made = await create('staff', { description: 'All of us', comment: 'For the launch' })
    expect(made.status).toBe(201)
    expect(made.headers.get('etag')).toBe('"1"')
    expect(made.body).toMatchObject({
      name: 'staff',
      description: 'All of us',
      version: 1,
      anyOf: groups('pro'),
      flags: 0,
      uses: [],
      usesTotal: 0,
      updatedBy: { type: 'user', name: 'developer' },
    })
    expect((await app.ok('viewer', 'GET /segments/staff')).body).toEqual(made.body)
    const event = await expectOneEvent(app.test, 'segment.updated', () =>
      replace('staff', { anyOf: groups('pro', 'team'), comment: 'Teams too' }),
    )
    expect(event).toMatchObject({
      target: { type: 'segment', name: 'staff' },
      detail: { version: 2, fields: ['anyOf'], flags: 0, comment: 'Teams too' },
    })
    const [newest, first] = (await app.ok('viewer', 'GET /segments/staff/versions')).body.items
    expect(newest).toMatchObject({ version: 2, comment: 'Teams too', anyOf: groups('pro', 'team') })
    expect(first).toMatchObject({ version: 1, comment: 'For the launch', anyOf: groups('pro') })
    const { items } = (await app.ok('m2m', 'GET /segments')).body
    const text = 'plan is pro, or plan is team'
    expect(items).toMatchObject([{ name: 'staff', text, version: 2, flags: 0 }])
    expect(items[0].attributes).toEqual([{ attribute: 'plan', values: ['pro', 'team'] }])
    expect(items[0]).not.toHaveProperty('anyOf')
  })

  it('is not changed by the same groups in another order of members', async () => {
    await create('same')
    const again = { anyOf: [{ when: [{ value: 'pro', operator: 'equals', attribute: 'plan' }] }] }
    await expectNoEvent(app.test, () => replace('same', again))
    expect((await app.ok('viewer', 'GET /segments/same')).body.version).toBe(1)
  })

  it('is listed page by page, and so are its versions', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) await create(name)
    const first = (await app.ok('viewer', 'GET /segments?limit=1')).body
    const second = (await app.ok('viewer', `GET /segments?limit=1&cursor=${first.nextCursor}`)).body
    expect(second.items[0].name > first.items[0].name).toBe(true)
    await replace('page-a', { anyOf: groups('x') })
    const versions = 'GET /segments/page-a/versions?limit=1'
    const { items, nextCursor } = (await app.ok('viewer', versions)).body
    expect(items).toMatchObject([{ version: 2 }])
    const { body } = await app.ok('viewer', `${versions}&cursor=${nextCursor}`)
    expect(body).toMatchObject({ items: [{ version: 1 }], nextCursor: null })
  })

  it('is sent back as it was read, and compared by its version', async () => {
    const { body } = await create('sent')
    expect((await replace('sent', { ...body, anyOf: groups('x') })).body.version).toBe(2)
    const stale = await replace('sent', { ...body, anyOf: groups('y') })
    expect(stale.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
    const byHeader = await replace(
      'sent',
      { anyOf: groups('y') },
      { headers: { 'if-match': '"1"' } },
    )
    expect(byHeader.body.code).toBe('revision_mismatch')
    const renamed = await replace('sent', { name: 'other' })
    expect(renamed.body.errors).toMatchObject([{ pointer: '/name' }])
    const gone = await app.call('admin', 'DELETE /segments/sent', {
      headers: { 'if-match': '"1"' },
    })
    expect(gone.body.code).toBe('revision_mismatch')
  })
})

describe('bad input', () => {
  const cases: [string, object, string, string][] = [
    ['no group', { anyOf: [] }, 'validation_failed', '/anyOf'],
    ['a group without conditions', { anyOf: [{ when: [] }] }, 'validation_failed', '/anyOf/0/when'],
    [
      'too many groups',
      { anyOf: groups(...Array.from({ length: 21 }, (_, n) => `p${n}`)) },
      'validation_failed',
      '/anyOf',
    ],
    [
      'a segment within a segment',
      { anyOf: [{ when: [plan('a'), inSegment('staff')] }] },
      'validation_failed',
      '/anyOf/0/when/1/operator',
    ],
    ['a name like an id', { name: `env_${'0'.repeat(26)}` }, 'validation_failed', '/name'],
    ['a name with a slash', { name: 'a/b' }, 'validation_failed', '/name'],
    ['an unknown field', { anyOf: groups('a'), rules: [] }, 'unknown_field', '/rules'],
    [
      'too many bytes',
      {
        anyOf: Array.from({ length: 2 }, () => ({
          when: [
            {
              attribute: 'id',
              operator: 'in',
              values: Array.from({ length: 200 }, () => 'x'.repeat(limits.ruleTextCharacters)),
            },
          ],
        })),
      },
      'value_too_large',
      '/anyOf',
    ],
  ]
  it.each(cases)('is refused and stores nothing: %s', async (_name, body, code, pointer) => {
    const before = await countStored()
    await expectNoEvent(app.test, async () => {
      const refused = await create('bad-input', body)
      expect(refused.body).toMatchObject({ code, errors: [{ pointer }] })
    })
    expect(await countStored()).toEqual(before)
  })

  it('says that a segment cannot refer to a segment', async () => {
    const refused = await create('nested', { anyOf: [{ when: [inSegment('staff')] }] })
    expect(refused.body.errors[0].detail).toContain('can’t refer to another segment')
  })

  it('names the nearest segment where a rule refers to none', async () => {
    await create('beta-testers')
    const before = await countStored()
    const refused = await use('beta-tester')
    expect(refused.body).toMatchObject({ status: 422, code: 'unknown_segment' })
    expect(refused.body.errors).toMatchObject([{ pointer: '/rules/checkout' }])
    expect(refused.body.detail).toContain('Did you mean “beta-testers”?')
    const change = await app.call('developer', 'POST /config-changes', {
      body: {
        schemaId,
        changes: [
          {
            environmentId: production,
            set: { checkout: false },
            rules: { checkout: [{ when: [inSegment('nobody')], serve: true }] },
          },
        ],
      },
    })
    expect(change.body).toMatchObject({ code: 'unknown_segment' })
    expect(change.body.errors).toMatchObject([{ pointer: '/changes/0/rules/checkout' }])
    expect(await countStored()).toEqual(before)
  })

  it('is refused where clients would get too many rules', async () => {
    await create('wide', { anyOf: groups('a', 'b', 'c', 'd', 'e') })
    const refused = await app.call('developer', 'PUT /config-values', {
      body: {
        schemaId,
        environmentId: production,
        values: { checkout: false },
        rules: {
          checkout: [{ when: [1, 2, 3].map(() => inSegment('wide')), serve: true }],
        },
      },
    })
    expect(refused.body).toMatchObject({ status: 422, code: 'too_many_rules' })
    expect(refused.body.errors).toMatchObject([{ pointer: '/rules/checkout' }])
  })

  it('is refused where the name is taken in any case, or there are too many', async () => {
    await create('taken')
    expect((await create('Taken')).body).toMatchObject({ code: 'already_exists' })
    expect((await create('missing-groups', { anyOf: undefined })).status).toBe(422)
    await app.test.asOwner(
      `insert into segments (org_id, name, description, version, any_of, created_at, updated_at, updated_by)
       select $1, 'filler' || n, '', 1, '[]', now(), now(), '{}' from generate_series(1, 200) n`,
      [app.orgId],
    )
    expect((await create('one-more')).body).toMatchObject({ status: 409, code: 'quota_exceeded' })
    await app.test.asOwner(`delete from segments where name like 'filler%'`)
  })
})

describe('access to segments', () => {
  it('shows a restricted key the uses that it reaches, and lets it change nothing', async () => {
    const staging = await app.addEnvironment('staging')
    await create('reached')
    await use('reached')
    app.setActor('narrow', buildKey(app.orgId, 'm2m', { environmentIds: [staging] }))
    const seen = await app.ok('narrow', 'GET /segments/reached')
    expect(seen.body).toMatchObject({ flags: 0, uses: [], usesTotal: 0 })
    const { items } = (await app.ok('narrow', 'GET /segments')).body
    expect(items.find(({ name }: { name: string }) => name === 'reached').flags).toBe(0)
    expect((await app.ok('m2m', 'GET /segments/reached')).body).toMatchObject({
      flags: 1,
      usesTotal: 1,
      uses: [{ schema: 'web', environment: 'production', flag: 'checkout' }],
    })
    for (const refused of [
      await create('by-narrow', {}, 'narrow'),
      await replace('reached', { anyOf: groups('x') }, { as: 'narrow' }),
      await app.call('narrow', 'DELETE /segments/reached'),
    ]) {
      expect(refused.body.code).toBe('key_scope_forbidden')
    }
  })
})

describe('deleting a segment', () => {
  it('is refused while a flag uses it, and says which', async () => {
    await create('in-use')
    await use('in-use')
    const refused = await app.call('admin', 'DELETE /segments/in-use')
    expect(refused.body).toMatchObject({
      status: 409,
      code: 'segment_in_use',
      detail:
        'These flags use the segment: checkout in production (web). Open their rules and remove the conditions that name it, or choose another segment there. Then delete it.',
      uses: [{ schemaId, environmentId: production, flag: 'checkout' }],
    })
    await use()
    await expectOneEvent(app.test, 'segment.deleted', () =>
      app.ok('admin', 'DELETE /segments/in-use'),
    )
    expect(await app.test.asOwner(`select from segment_versions where segment = 'in-use'`)).toEqual(
      [],
    )
  })

  it('is refused for rules that are stored and unused, because the key is no flag at present', async () => {
    const id = await app.addSchema('retiered', { on: { type: 'boolean' } })
    await create('kept')
    await app.ok('developer', 'PUT /config-values', {
      body: {
        schemaId: id,
        environmentId: production,
        values: { on: false },
        rules: { on: [{ when: [inSegment('kept')], serve: true }] },
      },
    })
    const retier = (tier: string) =>
      app.ok('developer', `PUT /config-schemas/${id}`, {
        body: {
          schema: { on: { type: 'boolean', tier } },
          force: true,
          returning: { on: 'restore' },
        },
      })
    await retier('public')
    expect((await app.call('admin', 'DELETE /segments/kept')).status).toBe(409)
    await retier('featureFlags')
    await app.ok('admin', `DELETE /config-schemas/${id}?force=true`)
    expect((await app.call('admin', 'DELETE /segments/kept')).status).toBe(204)
  })
})

describe('a destroyed organization', () => {
  it('takes along its segments, also those that flags use', async () => {
    const doomed = await openConfigApp()
    try {
      const environmentId = await doomed.addEnvironment('production')
      const schemaId = await doomed.addSchema('web', { checkout: { type: 'boolean' } })
      await doomed.ok('developer', 'POST /segments', {
        body: { name: 'staff', anyOf: groups('pro') },
      })
      const rules = { checkout: [{ when: [inSegment('staff')], serve: true }] }
      const body = { schemaId, environmentId, values: { checkout: false }, rules }
      await doomed.ok('developer', 'PUT /config-values', { body })
      await doomed.test.asOwner('delete from organizations where id = $1', [doomed.orgId])
      expect(await doomed.test.asOwner('select name from segments')).toEqual([])
      expect(await doomed.test.asOwner('select flag from segment_uses')).toEqual([])
    } finally {
      await doomed.close()
    }
  })
})
