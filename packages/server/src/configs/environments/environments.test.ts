import { limits } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let schemaId: string
let base: string
beforeAll(async () => {
  app = await openConfigApp()
  base = await app.addEnvironment('base')
  schemaId = await app.addSchema('web', {
    a: { type: 'string', tier: 'public' },
    b: { type: 'string', tier: 'public', default: 'preset' },
    token: { type: 'string' },
    flag: { type: 'boolean', default: false },
  })
})
afterAll(() => app.close())

const read = async (environmentId: string, as = 'm2m') =>
  (await app.ok(as, `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`)).body
const set = (environmentId: string, values: object) =>
  app.ok('m2m', 'PUT /config-values', { body: { schemaId, environmentId, values } })
const kinds = async (environmentId: string): Promise<string[]> => {
  const path = `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}`
  const { items } = (await app.ok('viewer', path)).body
  return items.map(({ kind }: { kind: string }) => kind)
}

describe('environments', () => {
  it('are created, read by id and by name, listed in pages and changed', async () => {
    const created = await app.ok('developer', 'POST /environments', {
      body: { name: 'Preview', description: 'For reviews', production: true },
    })
    expect(created.body).toMatchObject({ name: 'Preview', production: true, parentId: null })
    const { id } = created.body
    expect((await app.ok('viewer', `GET /environments/${id}`)).body).toEqual(created.body)
    expect((await app.ok('viewer', 'GET /environments/preview')).body).toEqual(created.body)
    const event = await expectOneEvent(app.test, 'environment.updated', () =>
      app.ok('developer', 'PATCH /environments/preview', { body: { name: 'review' } }),
    )
    expect(event.detail).toEqual({ fields: ['name'] })
    await expectNoEvent(app.test, () =>
      app.ok('developer', 'PATCH /environments/review', { body: { name: 'review' } }),
    )
    const page = await app.ok('viewer', 'GET /environments?limit=1')
    const next = await app.ok('viewer', `GET /environments?limit=1&cursor=${page.body.nextCursor}`)
    expect([...page.body.items, ...next.body.items].map(({ name }) => name)).toEqual([
      'base',
      'review',
    ])
    expect(next.body.nextCursor).toBeNull()
  })

  it('emit a change when they are created, renamed or deleted, because code hosts have their own names for them', async () => {
    const countEmitted = async (call: string, body?: object) => {
      app.emittedIds.splice(0)
      await app.ok('admin', call, body === undefined ? {} : { body })
      return app.emittedIds.filter((id) => id === app.orgId).length
    }
    expect(await countEmitted('POST /environments', { name: 'qa' })).toBe(1)
    expect(await countEmitted('PATCH /environments/qa', { description: 'For testers' })).toBe(0)
    expect(await countEmitted('PATCH /environments/qa', { name: 'testing' })).toBe(1)
    expect(await countEmitted('DELETE /environments/testing')).toBe(1)
  })

  it('have unique names, whatever the case of their letters', async () => {
    const twin = await app.call('developer', 'POST /environments', { body: { name: 'BASE' } })
    expect(twin.body).toMatchObject({
      status: 409,
      code: 'already_exists',
      errors: [{ pointer: '/name' }],
    })
    const rename = await app.call('developer', 'PATCH /environments/review', {
      body: { name: 'Base' },
    })
    expect(rename.body).toMatchObject({ status: 409, code: 'already_exists' })
  })

  it('are as many as an organization may have', async () => {
    const { count } = (
      await app.test.asOwner<{ count: number }>(
        'select count(*)::int as count from environments where org_id = $1',
        [app.orgId],
      )
    )[0] ?? { count: 0 }
    await app.test.asOwner(
      `insert into environments (org_id, id, name)
       select $1, 'env_fill' || n, 'fill' || n from generate_series(1, $2) n`,
      [app.orgId, limits.environmentsPerOrganization - count],
    )
    const answer = await app.call('developer', 'POST /environments', { body: { name: 'more' } })
    expect(answer.body).toMatchObject({ status: 409, code: 'quota_exceeded' })
    await app.test.asOwner(`delete from environments where name like 'fill%'`)
  })

  it('can be deleted by admins, and with values only when forced', async () => {
    const id = await app.addEnvironment('doomed')
    await set(id, { a: '1' })
    expect((await app.call('developer', `DELETE /environments/${id}`)).status).toBe(403)
    const refused = await app.call('admin', `DELETE /environments/${id}`)
    expect(refused.body).toMatchObject({ status: 409, code: 'environment_in_use' })
    const event = await expectOneEvent(app.test, 'environment.deleted', () =>
      app.ok('admin', `DELETE /environments/${id}?force=true`),
    )
    expect(event.target).toEqual({ type: 'environment', id, name: 'doomed' })
    expect((await app.call('admin', `GET /environments/${id}`)).status).toBe(404)
    const left = await app.test.asOwner(
      `select version, body from browser_snapshots where environment_id = $1
       union all select version, body from server_snapshots where environment_id = $1`,
      [id],
    )
    expect(left).toEqual([
      { version: 3, body: null },
      { version: 3, body: null },
    ])
  })

  it('cannot be deleted while others inherit from them', async () => {
    const parent = await app.addEnvironment('parent')
    const child = await app.addEnvironment('child', parent)
    const refused = await app.call('admin', `DELETE /environments/${parent}?force=true`)
    expect(refused.body).toMatchObject({ status: 409, code: 'environment_in_use' })
    expect(refused.body.detail).toContain('child')
    await app.ok('admin', `DELETE /environments/${child}`)
    await app.ok('admin', `DELETE /environments/${parent}`)
  })
})

describe('inheritance', () => {
  it('is live: what a parent sets or deletes, its children inherit at once', async () => {
    const mid = await app.addEnvironment('mid', base)
    const leaf = await app.addEnvironment('leaf', mid)
    await set(base, { a: 'from base', token: 'secret of base' })
    expect((await read(leaf)).values).toMatchObject({
      a: { value: 'from base', source: 'inherited', inheritedFrom: base },
      b: { value: 'preset', source: 'default' },
      token: { value: 'secret of base', source: 'inherited' },
    })
    await set(mid, { a: 'from mid' })
    expect((await read(leaf)).values.a).toMatchObject({ value: 'from mid', inheritedFrom: mid })
    await app.ok('m2m', `DELETE /config-values?schemaId=${schemaId}&environmentId=${mid}&key=a`)
    expect((await read(leaf)).values.a).toMatchObject({ value: 'from base', inheritedFrom: base })
    expect(await kinds(leaf)).toEqual(['inherited', 'inherited', 'inherited', 'inherited'])
    expect((await kinds(mid)).slice(0, 2)).toEqual(['write', 'write'])
  })

  it('makes no version of an environment that overrides the change', async () => {
    const child = await app.addEnvironment('steady', base)
    await set(child, { a: 'own' })
    const { version } = await read(child)
    await set(base, { a: 'other' })
    expect((await read(child)).version).toBe(version)
  })

  it('publishes each version with the bytes it stands for', async () => {
    const child = await app.addEnvironment('published', base)
    await set(base, { a: 'newest', flag: true })
    const [row] = await app.test.asOwner<{ body: string; version: number; etag: string }>(
      'select body, version, etag from browser_snapshots where environment_id = $1 order by version desc limit 1',
      [child],
    )
    expect(JSON.parse(row?.body ?? '')).toEqual({
      format: 1,
      schemaId,
      schema: 'web',
      environmentId: child,
      environment: 'published',
      version: row?.version,
      public: { a: 'newest', b: 'preset' },
      featureFlags: { flag: true },
    })
    expect((await read(child, 'b2m')).version).toBe(row?.version)
  })

  it('follows a change of the parent, and refuses circles and chains that are too long', async () => {
    const one = await app.addEnvironment('one')
    const two = await app.addEnvironment('two', one)
    await set(one, { a: 'one' })
    await app.ok('developer', `PATCH /environments/${two}`, { body: { parentId: base } })
    expect((await read(two)).values.a).toMatchObject({ value: 'newest', inheritedFrom: base })
    await app.ok('developer', `PATCH /environments/${two}`, { body: { parentId: null } })
    expect((await read(two)).values.a).toMatchObject({ source: 'missing' })
    await app.ok('developer', `PATCH /environments/${two}`, { body: { parentId: one } })
    const circle = await app.call('developer', `PATCH /environments/${one}`, {
      body: { parentId: two },
    })
    expect(circle.body).toMatchObject({
      status: 409,
      code: 'conflict',
      errors: [{ pointer: '/parentId' }],
    })
    let last = two
    for (let depth = 2; depth < limits.inheritanceDepth; depth++) {
      last = await app.addEnvironment(`deep${depth}`, last)
    }
    const long = await app.call('developer', 'POST /environments', {
      body: { name: 'deeper', parentId: last },
    })
    expect(long.body).toMatchObject({ status: 409, code: 'conflict' })
    const absent = 'env_01jd2m4x9k0000000000000009'
    const lost = await app.call('developer', 'POST /environments', {
      body: { name: 'lost', parentId: absent },
    })
    expect(lost.status).toBe(404)
  })

  it('publishes a new name at once, with a version of its own for both audiences', async () => {
    const id = await app.addEnvironment('before', base)
    const { version } = await read(id, 'b2m')
    await app.ok('developer', `PATCH /environments/${id}`, { body: { name: 'after' } })
    const [row] = await app.test.asOwner<{ body: string }>(
      'select body from browser_snapshots where environment_id = $1 order by version desc limit 1',
      [id],
    )
    expect(JSON.parse(row?.body ?? '')).toMatchObject({
      environment: 'after',
      version: version + 1,
    })
    expect((await kinds(id))[0]).toBe('renamed')
  })

  it('never shows a child half of two writes at the same time', async () => {
    const parent = await app.addEnvironment('meetParent')
    const child = await app.addEnvironment('meetChild', parent)
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        i % 4 === 3
          ? app.ok('developer', `PATCH /environments/${child}`, {
              body: { parentId: i % 8 === 3 ? null : parent },
            })
          : set(i % 2 === 0 ? parent : child, i % 2 === 0 ? { a: `p${i}` } : { b: `c${i}` }),
      ),
    )
    for (const id of [parent, child]) {
      const [row] = await app.test.asOwner<{ body: string; version: number }>(
        'select body, version from server_snapshots where environment_id = $1 order by version desc limit 1',
        [id],
      )
      const { values, version } = await read(id)
      const snapshot = JSON.parse(row?.body ?? '')
      expect(snapshot.version).toBe(version)
      expect(snapshot.public).toEqual({
        ...(values.a.value === undefined ? {} : { a: values.a.value }),
        b: values.b.value,
      })
    }
  })
})
