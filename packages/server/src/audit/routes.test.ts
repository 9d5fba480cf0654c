import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openIdentityApp, type IdentityApp } from '../identity/testing/open-identity-app.ts'
import { rawQuery } from '../store/raw-query.ts'

let app: IdentityApp
let orgId: string
let admin: Awaited<ReturnType<IdentityApp['addPerson']>>

beforeAll(async () => {
  app = await openIdentityApp()
  orgId = await app.addOrganization('Acme')
  admin = await app.addPerson('admin', { [orgId]: 'admin' })
  for (let i = 0; i < 3; i++) await create(`key ${i}`)
  await app.ok(`PATCH /organizations/${orgId}`, { as: admin.token, body: { name: 'Renamed' } })
})
afterAll(() => app.close())

const create = (name: string) =>
  app.ok(`POST /organizations/${orgId}/api-keys`, {
    as: admin.token,
    body: { name, kind: 'b2m' },
    headers: { 'user-agent': 'test', 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' },
  })
const list = (query = '', as = admin.token) =>
  app.call(`GET /organizations/${orgId}/audit-events${query}`, { as })
const actionsOf = async (query: string) =>
  (await list(query)).body.items.map(({ action }: { action: string }) => action)

describe('GET audit-events', () => {
  it('lists who did what, newest first', async () => {
    const { body } = await list()
    expect(body.items.map(({ sequence }: { sequence: number }) => sequence)).toEqual([
      5, 4, 3, 2, 1,
    ])
    expect(body.items[1]).toMatchObject({
      actor: { type: 'user', id: admin.userId, name: 'admin' },
      action: 'key.created',
      target: { type: 'api_key', name: 'key 2' },
      requestId: expect.stringMatching(/^req_/),
      ip: '2001:db8:1:2::/64',
    })
    expect(body.nextCursor).toBeNull()
  })

  it('filters by action, actor and time, and refuses a time that is none', async () => {
    expect(await actionsOf('?action=org.updated')).toEqual(['org.updated'])
    expect(await actionsOf('?action=org.')).toContain('org.updated')
    expect(await actionsOf('?action=org.')).not.toContain('key.created')
    // Neither half a word, nor what stands for any letter in a pattern.
    for (const action of ['org.upd', 'or_.', '%25.']) {
      expect(await actionsOf(`?action=${action}`)).toEqual([])
    }
    expect(await actionsOf(`?actor=${admin.userId}&action=key.created&limit=2`)).toHaveLength(2)
    expect(await actionsOf('?actor=nobody')).toEqual([])
    expect(await actionsOf('?from=2999-01-01T00:00:00Z')).toEqual([])
    expect(await actionsOf('?to=2999-01-01T00:00:00Z')).toHaveLength(5)
    expect(await actionsOf('?to=2000-01-01T00:00:00%2B02:00')).toEqual([])
    expect((await list('?from=yesterday')).body.code).toBe('invalid_query')
  })

  it('goes on where the page before ended, also when events came in between', async () => {
    const first = await list('?limit=2&action=key.created')
    await create('in between')
    const second = await list(`?limit=2&action=key.created&cursor=${first.body.nextCursor}`)
    const names = [...first.body.items, ...second.body.items].map(({ target }) => target.name)
    expect(names).toEqual(['key 2', 'key 1', 'key 0'])
    expect(second.body.nextCursor).toBeNull()
  })

  it('is searched by the beginnings of words, and finds nothing of another organization', async () => {
    const named = async (query: string) => {
      const { body } = await list(`?query=${encodeURIComponent(query)}&action=key.created`)
      return body.items.map(({ target }: { target: { name: string } }) => target.name)
    }
    await create('checkoutApiToken')
    expect(await named('token')).toEqual(['checkoutApiToken'])
    expect(await named('checkoutApi')).toEqual(['checkoutApiToken'])
    expect(await named('TOKEN admin key.created')).toEqual(['checkoutApiToken'])
    expect(await named('oken')).toEqual([])
    expect(await named("':* & !key | \\")).toContain('checkoutApiToken')
    expect(await named('  ')).toEqual([])
    const otherId = await app.addOrganization('Other')
    const other = await app.addPerson('other', { [otherId]: 'admin' })
    const path = `GET /organizations/${otherId}/audit-events?query=checkout`
    expect((await app.ok(path, { as: other.token })).body.items).toEqual([])
    // The function passes by the policies, so it answers for the organization of its transaction alone.
    const find = (asked: string, scoped: string) =>
      app.test.store.transaction({ orgId: scoped }, (tx) =>
        rawQuery(tx, 'select find_audit_events($1, $2)', [asked, 'checkout']),
      )
    expect(await find(orgId, orgId)).toHaveLength(1)
    expect(await find(orgId, otherId)).toEqual([])
    expect(await find(otherId, otherId)).toEqual([])
    const plan = await app.test.asOwner(
      `explain select sequence from audit_events where audit_words(actor, action, target, detail) @@ 'checkout'`,
    )
    expect(JSON.stringify(plan)).toContain('audit_events_words')
  })
})

describe('a change whose event cannot be written', () => {
  it('does not happen, and says that it failed', async () => {
    const rename = () =>
      app.call(`PATCH /organizations/${orgId}`, { as: admin.token, body: { name: 'Unseen' } })
    const nameNow = async () =>
      (await app.call(`GET /organizations/${orgId}`, { as: admin.token })).body.name
    const before = await nameNow()
    await app.test.asOwner(
      `alter table audit_events add constraint full_disk check (action <> 'org.updated') not valid`,
    )
    expect((await rename()).status).toBe(500)
    expect(await nameNow()).toBe(before)
    // The control: it was the event.
    await app.test.asOwner('alter table audit_events drop constraint full_disk')
    expect((await rename()).status).toBe(200)
    expect(await nameNow()).toBe('Unseen')
  })
})

describe('GET audit-events/chain', () => {
  const verify = (as = admin.token) =>
    app.call(`GET /organizations/${orgId}/audit-events/chain`, { as })

  it('says that the chain is whole, and how far', async () => {
    const [head] = await app.test.asOwner<{ sequence: number }>(
      'select sequence from audit_chains where org_id = $1',
      [orgId],
    )
    expect((await verify()).body).toMatchObject({
      state: 'intact',
      verified: head?.sequence,
      headHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      fault: null,
    })
  })

  it('control: names the event that somebody changed behind its back', async () => {
    const other = await app.addOrganization('Meddled')
    const { token } = await app.addPerson('auditor', { [other]: 'admin' })
    await app.ok(`PATCH /organizations/${other}`, { as: token, body: { name: 'Twice' } })
    await app.test.asOwner(
      `update audit_events set action = 'org.deleted' where org_id = $1 and sequence = 1`,
      [other],
    )
    const { body } = await app.call(`GET /organizations/${other}/audit-events/chain`, { as: token })
    expect(body).toMatchObject({
      state: 'broken',
      verified: 0,
      fault: { sequence: 1, reason: 'changed' },
    })
  })
})
