import { limits } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { openConfigApp, type Answer, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let staging: string
let production: string
let schemaId: string
beforeAll(async () => {
  app = await openConfigApp()
  staging = await app.addEnvironment('staging')
  production = await app.addEnvironment('production')
  schemaId = await app.addSchema('web', {
    a: { type: 'string', tier: 'public' },
    b: { type: 'string', tier: 'public', default: 'preset' },
    s: { type: 'string' },
    on: { type: 'boolean' },
  })
})
afterAll(() => app.close())

const set = (environmentId: string, values: object, comment?: string) =>
  app.ok('developer', 'PUT /config-values', { body: { schemaId, environmentId, values, comment } })
const read = async (environmentId: string) =>
  (await app.ok('m2m', `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`))
    .body
const versions = async (environmentId: string, query = '') =>
  (
    await app.ok(
      'viewer',
      `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}${query}`,
    )
  ).body
const remove = (environmentId: string, key: string) =>
  app.ok(
    'developer',
    `DELETE /config-values?schemaId=${schemaId}&environmentId=${environmentId}&key=${key}`,
  )

describe('versions', () => {
  it('list every write, newest first, with author, comment and changed keys, in pages', async () => {
    await set(staging, { a: '1', s: 'secret' }, 'The first')
    await set(staging, { a: '2', on: true })
    await remove(staging, 'on')
    const all = await versions(staging)
    expect(all.items).toMatchObject([
      {
        version: 4,
        kind: 'write',
        changes: [{ key: 'on', tier: 'featureFlags', change: 'removed' }],
      },
      {
        version: 3,
        changes: [
          { key: 'a', change: 'changed' },
          { key: 'on', change: 'added' },
        ],
      },
      {
        version: 2,
        comment: 'The first',
        author: { type: 'user', name: 'developer' },
        changes: [
          { key: 'a', tier: 'public', change: 'added' },
          { key: 's', tier: 'secret', change: 'added' },
        ],
      },
      { version: 1, kind: 'schema' },
    ])
    const first = await versions(staging, '&limit=3')
    const second = await versions(staging, `&limit=3&cursor=${first.nextCursor}`)
    expect([...first.items, ...second.items]).toEqual(all.items)
    expect(second.nextCursor).toBeNull()
  })

  it('show what they changed, and their difference to another', async () => {
    const { items } = await versions(staging)
    const [, third, second] = items
    const own = await app.ok('viewer', `GET /config-versions/${third.id}`)
    expect(own.body).toMatchObject({
      against: second.id,
      changes: [
        { key: 'a', change: 'changed', before: '1', after: '2' },
        { key: 'on', change: 'added', after: true },
      ],
    })
    const back = await app.ok('viewer', `GET /config-versions/${second.id}?against=${third.id}`)
    expect(back.body).toMatchObject({
      against: third.id,
      changes: [
        { key: 'a', change: 'changed', before: '2', after: '1' },
        { key: 'on', change: 'removed', before: true },
      ],
    })
    await set(staging, { s: 'another' })
    await set(staging, { s: 'secret' })
    const [latest] = (await versions(staging)).items
    const same = await app.ok('viewer', `GET /config-versions/${latest.id}?against=${items[0].id}`)
    expect(same.body.changes).toEqual([])
  })

  it('of two schemas cannot be compared', async () => {
    const other = await app.addSchema('other', { a: { type: 'string', tier: 'public' } })
    const path = `GET /config-versions?schemaId=${other}&environmentId=${staging}`
    const [theirs] = (await app.ok('viewer', path)).body.items
    const [ours] = (await versions(staging)).items
    const answer = await app.call('viewer', `GET /config-versions/${ours.id}?against=${theirs.id}`)
    expect(answer.body).toMatchObject({ status: 409, code: 'conflict' })
  })

  it('are kept a hundred times, their snapshots twenty', async () => {
    const many = await app.addSchema('many', { n: { type: 'number', tier: 'public' } })
    for (let n = 0; n < limits.versionsKept + 9; n++) {
      await app.ok('m2m', 'PUT /config-values', {
        body: { schemaId: many, environmentId: staging, values: { n } },
      })
    }
    const seen: number[] = []
    let cursor = ''
    do {
      const path = `GET /config-versions?schemaId=${many}&environmentId=${staging}&limit=40${cursor}`
      const { items, nextCursor } = (await app.ok('viewer', path)).body
      seen.push(...items.map(({ version }: { version: number }) => version))
      cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`
    } while (cursor !== '')
    expect(seen).toEqual(Array.from({ length: limits.versionsKept }, (_, i) => 110 - i))
    const [count] = await app.test.asOwner(
      `select (select count(*)::int from config_versions where schema_id = $1 and environment_id = $2) as versions,
         (select count(*)::int from browser_snapshots where schema_id = $1 and environment_id = $2) as browsers,
         (select count(*)::int from server_snapshots where schema_id = $1 and environment_id = $2) as servers`,
      [many, staging],
    )
    expect(count).toEqual({ versions: 100, browsers: 20, servers: 20 })
  })
})

describe('restoreVersion', () => {
  it('makes old content current as a version of its own, secrets included', async () => {
    const env = await app.addEnvironment('restored')
    await set(env, { a: 'old', s: 'old secret' })
    await set(env, { a: 'new', s: 'new secret', on: true })
    const old = (await versions(env)).items[1]
    const dry = await app.ok('developer', `POST /config-versions/${old.id}/restore`, {
      body: { dryRun: true },
    })
    expect(dry.body).toMatchObject({
      id: old.id,
      changes: [{ key: 'a' }, { key: 'on' }, { key: 's' }],
    })
    const event = await expectOneEvent(app.test, 'value.rolled_back', () =>
      app.ok('developer', `POST /config-versions/${old.id}/restore`, { body: { comment: 'Oops' } }),
    )
    expect(event.detail).toMatchObject({ version: 4, restored: 2, keys: ['a', 'on', 's'] })
    expect((await read(env)).values).toMatchObject({
      a: { value: 'old' },
      s: { value: 'old secret' },
      on: { source: 'missing' },
    })
    expect((await versions(env)).items[0]).toMatchObject({
      version: 4,
      kind: 'restore',
      comment: 'Oops',
    })
  })

  it('takes back the named keys alone, with their rules, and refuses keys that there are not', async () => {
    const place = await app.addEnvironment('single-keys')
    await set(place, { a: 'first', s: 'first secret', on: true })
    const [first] = (await versions(place)).items
    await set(place, { a: 'second', b: 'set', s: 'second secret', on: false })
    const restore = (keys: readonly string[]) =>
      app.call('developer', 'POST /config-versions/restore', {
        body: { restores: [{ versionId: first.id, keys }] },
      })
    const restored = await restore(['a', 'b'])
    const isSet = { source: 'set' }
    const common = { tier: 'public', change: 'changed', sourceBefore: isSet }
    expect(restored.body.environments[0].changes).toEqual([
      { ...common, key: 'a', before: 'second', after: 'first', sourceAfter: isSet },
      { ...common, key: 'b', before: 'set', after: 'preset', sourceAfter: { source: 'default' } },
    ])
    expect((await versions(place)).items[0].comment).toBe(
      `Restored a, b of version ${first.version}`,
    )
    const { values } = (
      await app.ok(
        'm2m',
        `GET /config-values?schemaId=${schemaId}&environmentId=${place}&reveal=true`,
      )
    ).body
    expect(values).toMatchObject({ s: { value: 'second secret' }, on: { value: false } })
    expect((await restore(['nothing'])).body).toMatchObject({
      code: 'unknown_key',
      errors: [{ pointer: '/restores/0/keys/0' }],
    })
  })

  it('is tied by its dry run to what was shown: what somebody saved since is refused', async () => {
    const place = await app.addEnvironment('shown-first')
    await set(place, { a: 'first' })
    const [first] = (await versions(place)).items
    await set(place, { a: 'second' })
    const restore = (more: object) =>
      app.call('developer', 'POST /config-versions/restore', {
        body: {
          restores: [{ versionId: first.id, ...more }],
          dryRun: !('expectedVersion' in more),
        },
      })
    const versionOf = async () => (await restore({})).body.environments[0].currentVersion
    const shown = await versionOf()
    await set(place, { a: 'urgent' })
    expect((await restore({ expectedVersion: shown })).body.code).toBe('revision_mismatch')
    const done = await restore({ expectedVersion: await versionOf() })
    expect(done.body.environments[0]).toMatchObject({
      currentVersion: shown + 2,
      version: { version: shown + 2 },
    })
  })

  it('is a version of its own also when nothing is different', async () => {
    const env = await app.addEnvironment('unchanged')
    await set(env, { a: '1' }, 'Mine')
    const [present] = (await versions(env)).items
    const path = `POST /config-versions/${present.id}/restore`
    await expectNoEvent(app.test, () => app.ok('developer', path, { body: { dryRun: true } }))
    const restored = await app.ok('admin', path, { body: { comment: 'To be sure' } })
    expect(restored.status).toBe(201)
    expect(restored.body).toMatchObject({
      version: 3,
      kind: 'restore',
      author: { name: 'admin' },
      comment: 'To be sure',
      changes: [],
    })
    expect(restored.body.id).not.toBe(present.id)
    expect((await versions(env)).items[0].id).toBe(restored.body.id)
  })

  it('leaves out keys that the schema has lost, and refuses values it does not take any more', async () => {
    const id = await app.addSchema('moving', {
      k: { type: 'string', tier: 'public' },
      gone: { type: 'string', tier: 'public' },
    })
    const body = { schemaId: id, environmentId: staging }
    await app.ok('developer', 'PUT /config-values', {
      body: { ...body, values: { k: 'long enough', gone: '1' } },
    })
    await app.ok('developer', 'PUT /config-values?replace=true', {
      body: { ...body, values: { k: 'abc' } },
    })
    const list = await app.ok(
      'viewer',
      `GET /config-versions?schemaId=${id}&environmentId=${staging}`,
    )
    const old = list.body.items[1]
    const replace = (maxLength: number) =>
      app.ok('developer', `PUT /config-schemas/${id}`, {
        body: { schema: { k: { type: 'string', tier: 'public', constraints: { maxLength } } } },
      })
    await replace(3)
    const refused = await app.call('developer', `POST /config-versions/${old.id}/restore`, {
      body: {},
    })
    expect(refused.body).toMatchObject({ status: 422, code: 'schema_violation' })
    expect(refused.body.errors[0].pointer).toContain('k')
    await replace(99)
    const restored = await app.ok('developer', `POST /config-versions/${old.id}/restore`, {
      body: {},
    })
    expect(restored.body.changes).toMatchObject([{ key: 'k', after: 'long enough' }])
  })

  it('publishes what was a secret only by force, and shows it to nobody who only looks', async () => {
    const schemaOf = (tier: 'secret' | 'public') => ({ k: { type: 'string' as const, tier } })
    const id = await app.addSchema('opened', schemaOf('secret'))
    for (const k of ['canary-old', 'harmless']) {
      await app.ok('developer', 'PUT /config-values', {
        body: { schemaId: id, environmentId: staging, values: { k } },
      })
    }
    const path = `schemaId=${id}&environmentId=${staging}`
    const { items } = (await app.ok('viewer', `GET /config-versions?${path}`)).body
    const [current, old] = items
    const restore = `POST /config-versions/${old.id}/restore`
    // The control: while the key is a secret, nothing is published.
    await app.ok('developer', restore, { body: { dryRun: true } })
    await app.ok('developer', `PUT /config-schemas/${id}`, {
      body: { schema: schemaOf('public'), exposeKeys: ['k'] },
    })
    for (const body of [{}, { dryRun: true }]) {
      const refused = await app.call('developer', restore, { body })
      expect(refused.body).toMatchObject({
        status: 409,
        code: 'breaking_change',
        errors: [{ pointer: '/k', code: 'breaking_change' }],
      })
      expect(refused.text).not.toContain('canary-old')
    }
    const dry = await app.ok('developer', restore, { body: { dryRun: true, force: true } })
    expect(dry.text).not.toContain('canary-old')
    const browser = () => app.ok('b2m', `GET /config-values?${path}`)
    expect((await browser()).body.values.k.value).toBe('harmless')
    // A value that is already public is not published by restoring it, so this needs no `force`.
    await app.ok('developer', `POST /config-versions/${current.id}/restore`, { body: {} })
    await app.ok('developer', restore, { body: { force: true } })
    expect((await browser()).body.values.k.value).toBe('canary-old')
  })

  describe('over a flag that is turned off since', () => {
    const turn = (environmentId: string, to: 'off' | 'on') =>
      app.ok('developer', 'POST /config-changes', {
        body: { schemaId, changes: [{ environmentId, turn: { on: to } }] },
      })
    const restore = (versionId: string, more: object = {}) =>
      app.call('developer', 'POST /config-versions/restore', {
        body: { restores: [{ versionId }], ...more },
      })
    const isOff = async (environmentId: string) => {
      const { value, rules = [] } = (await read(environmentId)).values.on
      return value === false && rules[0]?.aside !== undefined
    }

    it('leaves the flag out and names it, unless the request includes it or names the key', async () => {
      const place = await app.addEnvironment('turned-off')
      await set(place, { a: 'old', on: true })
      const [old] = (await versions(place)).items
      await set(place, { a: 'new' })
      const off = await turn(place, 'off')
      const leftOut = [{ key: 'on', reason: 'turnedOff' }]
      const one = `POST /config-versions/${old.id}/restore`
      for (const dryRun of [true, false]) {
        const answer = (await app.ok('developer', one, { body: { dryRun } })).body
        expect(answer).toMatchObject({ changes: [{ key: 'a', after: 'old' }], leftOut })
        expect(answer.changes).toHaveLength(1)
        const several = (await restore(old.id, { dryRun })).body
        expect(several.leftOut).toEqual([{ environmentId: place, key: 'on', reason: 'turnedOff' }])
        expect(await isOff(place)).toBe(true)
      }
      const included = { dryRun: true, include: ['turnedOff'] }
      const change = { key: 'on', before: false, after: true }
      const asked = (await app.ok('developer', one, { body: included })).body
      expect(asked).toMatchObject({ changes: [change], leftOut: [] })
      const all = await restore(old.id, included)
      expect(all.body).toMatchObject({ environments: [{ changes: [change] }], leftOut: [] })
      const named = { dryRun: true, restores: [{ versionId: old.id, keys: ['on'] }] }
      const only = await app.ok('developer', 'POST /config-versions/restore', { body: named })
      expect(only.body).toMatchObject({ environments: [{ changes: [change] }], leftOut: [] })
      const both = await restore(old.id, { ...named, ...included })
      expect(both.body.errors).toMatchObject([{ pointer: '/include', code: 'validation_failed' }])
      // The control: the same version, once the flag is on again, is restored as a whole.
      await turn(place, 'on')
      await set(place, { on: false })
      expect((await restore(old.id)).body).toMatchObject({
        environments: [{ changes: [{ key: 'on', after: true }] }],
        leftOut: [],
      })
      // A version in which the flag is turned off turns it off.
      const { id } = off.body.environments[0].version
      expect((await restore(id)).body.leftOut).toEqual([])
      expect(await isOff(place)).toBe(true)
    })

    it.each([
      ['a value of the version over the one that it inherits', 'parent', { on: true }],
      ['what it inherits over its own', 'child', {}],
    ] as const)('leaves out %s', async (_, turned, values) => {
      const parent = await app.addEnvironment(`off-${turned}-parent`)
      const child = await app.addEnvironment(`off-${turned}-child`, parent)
      await set(parent, { on: true })
      await set(child, { a: 'old', ...values })
      const [old] = (await versions(child)).items
      if ('on' in values) await remove(child, 'on')
      await turn(turned === 'parent' ? parent : child, 'off')
      const { body } = await restore(old.id)
      expect(body.leftOut).toEqual([{ environmentId: child, key: 'on', reason: 'turnedOff' }])
      expect(await isOff(child)).toBe(true)
      await restore(old.id, { include: ['turnedOff'] })
      expect((await read(child)).values.on.value).toBe(true)
    })

    it('takes back the turn itself, with the undo of its answer, and that undo too', async () => {
      const place = await app.addEnvironment('turn-undone')
      await set(place, { on: true })
      const undo = async ({ body }: Answer) => {
        expect(body.undo.restores).toHaveLength(1)
        return app.ok('developer', 'POST /config-versions/restore', { body: body.undo })
      }
      const undone = await undo(await turn(place, 'off'))
      expect((await read(place)).values.on).toMatchObject({ value: true, source: 'set' })
      const again = await undo(undone)
      expect(await isOff(place)).toBe(true)
      await undo(again)
      expect(await isOff(place)).toBe(false)
    })
  })
})

describe('promoteValues', () => {
  const promote = (body: object, as = 'developer') =>
    app.call(as, 'POST /config-values/promote', {
      body: { schemaId, fromEnvironmentId: staging, toEnvironmentId: production, ...body },
    })

  it('copies what is set or inherited there, secrets where they are included, and shows the diff first', async () => {
    await set(staging, { a: 'promoted', s: 'promoted secret' })
    await set(production, { on: true })
    const include = ['secret']
    const dry = await promote({ dryRun: true, include })
    const sourceAfter = { source: 'set' }
    expect(dry.body).toEqual({
      changes: [
        { key: 'a', tier: 'public', change: 'added', after: 'promoted', sourceAfter },
        { key: 's', tier: 'secret', change: 'added', sourceAfter },
      ],
      leftOut: [],
      requires: [],
      version: null,
      currentVersion: expect.any(Number),
      sourceVersion: expect.any(Number),
    })
    const event = await expectOneEvent(app.test, 'value.promoted', () =>
      promote({ comment: 'Ship it', include }),
    )
    expect(event.detail).toMatchObject({ fromEnvironmentId: staging, environmentId: production })
    expect((await read(production)).values).toMatchObject({
      a: { value: 'promoted' },
      s: { value: 'promoted secret' },
      on: { value: true },
      b: { source: 'default' },
    })
    expect((await versions(production)).items[0]).toMatchObject({
      kind: 'promote',
      comment: 'Ship it',
    })
    expect((await promote({})).body).toEqual({
      changes: [],
      leftOut: [],
      requires: [],
      version: null,
      currentVersion: dry.body.currentVersion + 1,
      sourceVersion: dry.body.sourceVersion,
    })
  })

  it('copies only the named keys, and says which cannot be', async () => {
    await set(staging, { a: 'again', s: 'again' })
    expect((await promote({ keys: ['a'] })).body.changes).toMatchObject([
      { key: 'a', before: 'promoted', after: 'again' },
    ])
    const refused = await promote({ keys: ['a', 'b', 'nope'] })
    expect(refused.body).toMatchObject({
      status: 422,
      errors: [
        { pointer: '/keys/1', code: 'validation_failed' },
        { pointer: '/keys/2', code: 'unknown_key' },
      ],
    })
  })

  it('refuses the same environment, and absent ones', async () => {
    expect((await promote({ toEnvironmentId: staging })).status).toBe(422)
    const fromEnvironmentId = 'env_01jd2m4x9k0000000000000009'
    expect((await promote({ fromEnvironmentId })).status).toBe(404)
  })
})
