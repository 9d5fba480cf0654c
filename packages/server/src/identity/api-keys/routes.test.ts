import { tokenPattern } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { openIdentityApp, type Answer, type IdentityApp } from '../testing/open-identity-app.ts'

let app: IdentityApp
let orgId: string
let admin: string
let environmentId: string

beforeAll(async () => {
  app = await openIdentityApp()
  orgId = await app.addOrganization('Acme')
  admin = (await app.addPerson('admin', { [orgId]: 'admin' })).token
  environmentId = 'env_01jd2m4x9k0000000000000000'
  await app.test.asOwner('insert into environments (org_id, id, name) values ($1, $2, $3)', [
    orgId,
    environmentId,
    'staging',
  ])
})
afterAll(() => app.close())

const keys = () => `/organizations/${orgId}/api-keys`
const create = (body: object, headers = {}) =>
  app.call(`POST ${keys()}`, {
    as: admin,
    body: { name: 'checkout', kind: 'm2m', ...body },
    headers,
  })
const rotate = (id: string, body: object, headers = {}) =>
  app.call(`POST ${keys()}/${id}/rotate`, { as: admin, body, headers })
const pointersOf = ({ body }: Answer) =>
  body.errors.map(({ pointer }: { pointer: string }) => pointer)
const codeFor = async (secret: string) => {
  const { status, body } = await app.call('GET /me', { as: secret })
  return status === 200 ? 'ok' : body.code
}

describe('POST api-keys', () => {
  it('makes a key that works at once, and shows its secret once', async () => {
    const answer = await create({ environmentIds: [environmentId, environmentId] })
    expect(answer.status).toBe(201)
    expect(answer.body.secret).toMatch(tokenPattern)
    expect(answer.body).toMatchObject({
      name: 'checkout',
      kind: 'm2m',
      state: 'active',
      environmentIds: [environmentId],
      schemaIds: null,
      allowedOrigins: null,
      overlapEndsAt: null,
      lastUsedAt: null,
      prefix: answer.body.secret.slice(0, 18),
      createdBy: { type: 'user', name: 'admin' },
    })
    const me = await app.ok('GET /me', { as: answer.body.secret })
    expect(me.body).toMatchObject({
      type: 'api_key',
      id: answer.body.id,
      environmentIds: [environmentId],
      organizations: [{ id: orgId, role: null }],
    })
    const shown = await app.ok(`GET ${keys()}/${answer.body.id}`, { as: admin })
    expect(shown.body).not.toHaveProperty('secret')
    expect(shown.text).not.toContain(answer.body.secret.slice(18))
  })

  it('names every restriction that cannot be', async () => {
    const foreign = 'env_01jd2m4x9k0000000000000001'
    const past = await create({
      expiresAt: '2020-01-01T00:00:00Z',
      allowedOrigins: ['https://a.example'],
    })
    expect(pointersOf(past)).toEqual(['/allowedOrigins', '/expiresAt'])
    const unknown = await create({ environmentIds: [environmentId, foreign] })
    expect([unknown.status, pointersOf(unknown)]).toEqual([422, ['/environmentIds/1']])
    const schema = await create({ schemaIds: ['sch_01jd2m4x9k0000000000000000'] })
    expect(pointersOf(schema)).toEqual(['/schemaIds/0'])
  })
})

describe('expiry', () => {
  it('ends after 90 days where no end is given, and never where that is asked for', async () => {
    const { expiresAt, createdAt } = (await create({ kind: 'b2m' })).body
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(90 * 86_400_000)
    expect((await create({ kind: 'b2m', expiresAt: null })).body.expiresAt).toBeNull()
  })

  it('ends a key at the moment, and says so to who has the secret', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const { secret, id } = (await create({ kind: 'b2m', expiresAt })).body
    expect(await codeFor(secret)).toBe('ok')
    app.clock.advance(60_000)
    expect(await codeFor(secret)).toBe('expired_credentials')
    expect((await app.ok(`GET ${keys()}/${id}`, { as: admin })).body.state).toBe('expired')
    expect((await rotate(id, {})).body.code).toBe('conflict')
  })
})

describe('PATCH api-keys', () => {
  it('changes what is given, takes away what is null, and leaves the rest', async () => {
    const allowedOrigins = ['https://App.example.com:443']
    const { id } = (await create({ kind: 'b2m', allowedOrigins, environmentIds: [environmentId] }))
      .body
    const patch = (body: object) => app.call(`PATCH ${keys()}/${id}`, { as: admin, body })
    const event = await expectOneEvent(app.test, 'key.updated', async () => {
      const answer = await patch({ name: 'renamed', environmentIds: null })
      expect(answer.body).toMatchObject({
        name: 'renamed',
        environmentIds: null,
        allowedOrigins: ['https://app.example.com'],
      })
    })
    expect(event.detail).toEqual({ fields: ['name', 'environmentIds'] })
    await expectNoEvent(app.test, async () => expect((await patch({})).status).toBe(200))
    expect((await patch({ kind: 'm2m' })).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/kind' }],
    })
    expect((await patch({ colour: 'red' })).body.code).toBe('unknown_field')
  })

  it('is compared with If-Match and with the revision that is sent back', async () => {
    const created = await create({})
    const path = `${keys()}/${created.body.id}`
    const patch = (body: object, headers = {}) =>
      app.call(`PATCH ${path}`, { as: admin, body, headers })
    expect([created.body.revision, created.headers.get('etag')]).toEqual([1, '"1"'])
    const first = await patch({ name: 'first' }, { 'if-match': '"1"' })
    expect([first.body.revision, first.headers.get('etag')]).toEqual([2, '"2"'])
    await expectNoEvent(app.test, async () => {
      for (const stale of [
        await patch({ name: 'second' }, { 'if-match': '"1"' }),
        await patch({ name: 'second', revision: 1 }),
      ]) {
        expect(stale.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
      }
      // A request that changes nothing keeps the revision.
      expect((await patch({ name: 'first', revision: 2 })).body.revision).toBe(2)
    })
    const read = await app.ok(`GET ${path}`, { as: admin })
    expect([read.body.name, read.headers.get('etag')]).toEqual(['first', '"2"'])
    expect((await patch({ ...read.body, name: 'third' })).body).toMatchObject({ revision: 3 })
  })

  it('narrows what the key may at once', async () => {
    const { id, secret } = (await create({})).body
    await app.ok(`PATCH ${keys()}/${id}`, { as: admin, body: { environmentIds: [environmentId] } })
    expect((await app.ok('GET /me', { as: secret })).body.environmentIds).toEqual([environmentId])
  })
})

describe('POST rotate', () => {
  it('keeps the old secret working for the overlap and no longer', async () => {
    const { id, secret: before } = (await create({})).body
    const event = await expectOneEvent(app.test, 'key.rotated', async () => {
      const answer = await rotate(id, { overlapSeconds: 60 })
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ id, state: 'active' })
      expect(Date.parse(answer.body.overlapEndsAt)).toBeGreaterThan(app.clock.now().getTime())
      expect(await codeFor(answer.body.secret)).toBe('ok')
    })
    expect(event.detail).toEqual({ overlapSeconds: 60 })
    expect(await codeFor(before)).toBe('ok')
    app.clock.advance(60_001)
    expect(await codeFor(before)).toBe('expired_credentials')
    const { body } = await app.ok(`GET ${keys()}/${id}`, { as: admin })
    expect(body.overlapEndsAt).toBeNull()
  })

  it('refuses a third secret during the overlap, unless the others end at once', async () => {
    const { id, secret: first } = (await create({})).body
    const second = (await rotate(id, { overlapSeconds: 600 })).body.secret
    const refused = await rotate(id, { overlapSeconds: 600 })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    const third = (await rotate(id, { overlapSeconds: 0 })).body.secret
    expect([await codeFor(first), await codeFor(second), await codeFor(third)]).toEqual([
      'expired_credentials',
      'expired_credentials',
      'ok',
    ])
  })
})

describe('DELETE api-keys', () => {
  it('revokes with the answer here, and on another node when it looks', async () => {
    const { id, secret } = (await create({})).body
    const other = await app.openNode()
    expect((await other.call('GET /me', { as: secret })).status).toBe(200)
    await expectOneEvent(app.test, 'key.revoked', () =>
      app.ok(`DELETE ${keys()}/${id}`, { as: admin }),
    )
    expect(await codeFor(secret)).toBe('revoked_credentials')
    await other.feed.refresh()
    expect((await other.call('GET /me', { as: secret })).body.code).toBe('revoked_credentials')
    expect((await app.ok(`GET ${keys()}/${id}`, { as: admin })).body.state).toBe('revoked')
  })

  it('done again changes nothing', async () => {
    const { id } = (await create({})).body
    await app.ok(`DELETE ${keys()}/${id}`, { as: admin })
    await expectNoEvent(app.test, async () => {
      const again = await app.call(`DELETE ${keys()}/${id}`, { as: admin })
      expect(again.status).toBe(204)
    })
  })
})

describe('GET api-keys', () => {
  it('lists page by page, newest first, with cursors that are good for this organization only', async () => {
    const org = await app.addOrganization('Pages')
    const { token } = await app.addPerson('lister', { [org]: 'viewer', [orgId]: 'viewer' })
    const made: string[] = []
    for (let i = 0; i < 5; i++) {
      made.push((await app.addKey(org, { name: `key ${i}` })).id)
      app.clock.advance(1)
    }
    const seen: string[] = []
    const given: (string | null)[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const path = `/organizations/${org}/api-keys?limit=2${query}`
      const { body } = await app.ok(`GET ${path}`, { as: token })
      for (const item of body.items) {
        expect(item).not.toHaveProperty('secret')
        seen.push(item.id)
      }
      cursor = body.nextCursor
      given.push(cursor)
    } while (cursor !== null)
    expect(seen).toEqual(made.toReversed())
    const elsewhere = await app.call(`GET ${keys()}?cursor=${given[0]}`, { as: token })
    expect(elsewhere.body.code).toBe('invalid_cursor')
  })

  it('shows when a key was last used, to the minute', async () => {
    const { id, secret } = (await create({})).body
    await app.ok('GET /me', { as: secret })
    await app.uses.flush()
    const { body } = await app.ok(`GET ${keys()}/${id}`, { as: admin })
    // Not the test's clock, which may be ahead: the database takes no moment that is yet to come.
    expect(Math.abs(Date.parse(body.lastUsedAt) - Date.now())).toBeLessThan(60_000)
  })
})

describe('quota', () => {
  it('stops at 100 keys that are not revoked, also for many at once', async () => {
    const org = await app.addOrganization('Full')
    const { token } = await app.addPerson('filler', { [org]: 'owner' })
    await app.test.asOwner(
      `insert into api_keys (org_id, id, name, kind, created_by)
       select $1, 'key_' || n, 'n', 'm2m', '{"type":"system","id":null,"name":"n"}' from generate_series(1, 98) n`,
      [org],
    )
    const body = { name: 'one more', kind: 'b2m' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        app.call(`POST /organizations/${org}/api-keys`, { as: token, body }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 409, 409, 409,
    ])
    await app.test.asOwner(`update api_keys set revoked_at = now() where id = 'key_1'`)
    const freed = await app.call(`POST /organizations/${org}/api-keys`, { as: token, body })
    expect(freed.status).toBe(201)
  })
})
