import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../../audit/testing/expect-audit.ts'
import { openIdentityApp, type IdentityApp } from '../../testing/open-identity-app.ts'
import { askAs, patchOf, type Ask, type Operation } from './testing/open-scim.ts'

let app: IdentityApp
let orgId: string
let ask: Ask
let people: readonly string[]
let count = 0

beforeAll(async () => {
  app = await openIdentityApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  count += 1
  orgId = await app.addOrganization('Acme')
  const owner = await app.addPerson(`owner-${count}`, { [orgId]: 'owner' })
  await app.test.asOwner(
    `insert into email_domains (org_id, domain, challenge, created_at, created_by, verified_at)
     values ($1, $2, 'x', now(), '{"type":"system","id":null,"name":"Test"}', now())`,
    [orgId, `acme${count}.com`],
  )
  const made = { as: owner.token, body: { name: 'Entra' } }
  const { body } = await app.ok(`POST /organizations/${orgId}/scim-tokens`, made)
  ask = askAs(app.call, orgId, body.secret)
  const added = ['ada', 'bob', 'eve'].map(
    async (name) => (await ask('POST /Users', { userName: `${name}@acme${count}.com` })).body.id,
  )
  people = (await Promise.all(added)).toSorted((one, other) => (one < other ? -1 : 1))
})

const refs = (ids: readonly string[]) => ids.map((value) => ({ value }))
const create = async (displayName: string, ids: readonly string[] = [], more: object = {}) =>
  (await ask('POST /Groups', { displayName, members: refs(ids), ...more })).body
/** The members as the directory reads them, and as rights are decided by. */
async function membersOf(id: string) {
  const { body } = await ask(`GET /Groups/${id}`)
  const rows = await app.test.asOwner<{ user_id: string }>(
    'select user_id from group_members where org_id = $1 and group_id = $2 order by 1',
    [orgId, id],
  )
  const ids = body.members.map(({ value }: { value: string }) => value)
  expect(rows.map(({ user_id }) => user_id)).toEqual(ids)
  return ids
}
const patch = (id: string, ...operations: readonly Operation[]) =>
  ask(`PATCH /Groups/${id}`, patchOf(...operations))

describe('a group of a directory', () => {
  it('is a group of members with the source scim, and gives nothing by itself', async () => {
    let group = { id: '' }
    await expectOneEvent(app.test, 'group.created', async () => {
      group = await create('Developers', people, { externalId: 'g-1' })
    })
    expect(group).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id: expect.stringMatching(/^grp_/),
      displayName: 'Developers',
      externalId: 'g-1',
      meta: { resourceType: 'Group', location: expect.stringContaining(`/scim/v2/Groups/`) },
    })
    expect(await membersOf(group.id)).toEqual(people)
    expect(
      await app.test.asOwner('select source, name from member_groups where id = $1', [group.id]),
    ).toEqual([{ source: 'scim', name: 'Developers' }])
    expect(await app.test.asOwner('select 1 from access_grants')).toEqual([])
    const { body } = await ask(`GET /Users/${people[0]}`)
    expect(body.groups).toEqual([{ value: group.id, display: 'Developers' }])
  })

  it.each([
    [
      'Entra ID adds',
      (id: string): Operation => ({
        op: 'Add',
        path: 'members',
        value: [{ $ref: null, value: id }],
      }),
    ],
    [
      'Okta adds',
      (id: string): Operation => ({
        op: 'add',
        path: 'members',
        value: [{ value: id, display: 'Ada' }],
      }),
    ],
    [
      'a client adds one that is no list',
      (id: string): Operation => ({ op: 'add', path: 'members', value: { value: id } }),
    ],
    [
      'a client adds without a path',
      (id: string): Operation => ({ op: 'add', value: { members: [{ value: id }] } }),
    ],
  ])('gains members as %s them, each once', async (_, add) => {
    const [ada = '', bob = ''] = people
    const { id } = await create('Developers', [ada])
    expect((await patch(id, add(bob))).status).toBe(200)
    await patch(id, add(bob))
    expect(await membersOf(id)).toEqual([ada, bob])
  })

  it.each([
    [
      'Entra ID removes',
      (id: string): Operation => ({ op: 'Remove', path: 'members', value: [{ value: id }] }),
    ],
    [
      'Okta removes',
      (id: string): Operation => ({ op: 'remove', path: `members[value eq "${id}"]` }),
    ],
  ])('loses members as %s them, also those who are in it no more', async (_, remove) => {
    const [ada = '', bob = ''] = people
    const { id } = await create('Developers', [ada, bob])
    for (let i = 0; i < 2; i += 1) expect((await patch(id, remove(bob))).status).toBe(200)
    expect(await membersOf(id)).toEqual([ada])
  })

  it('is replaced whole, and emptied', async () => {
    const [ada = '', bob = '', eve = ''] = people
    const { id } = await create('Developers', [ada, bob])
    await patch(id, { op: 'replace', path: 'members', value: refs([bob, eve]) })
    expect(await membersOf(id)).toEqual([bob, eve])
    await ask(`PUT /Groups/${id}`, { displayName: 'Builders', members: refs([ada]) })
    expect(await membersOf(id)).toEqual([ada])
    await patch(id, { op: 'remove', path: 'members' })
    expect(await membersOf(id)).toEqual([])
    expect((await ask(`GET /Groups/${id}`)).body.displayName).toBe('Builders')
  })

  it('is renamed as Entra ID and Okta do it', async () => {
    const { id } = await create('Developers')
    await patch(id, { op: 'Replace', path: 'displayName', value: 'Builders' })
    expect((await ask(`GET /Groups/${id}`)).body.displayName).toBe('Builders')
    await patch(id, { op: 'replace', value: { id, displayName: 'Makers' } })
    expect((await ask(`GET /Groups/${id}`)).body.displayName).toBe('Makers')
  })

  it('is found by name, id, member and the id of the directory, without members where they are not wanted', async () => {
    const [ada = ''] = people
    const { id } = await create('Developers', [ada], { externalId: 'g-1' })
    await create('Others')
    for (const filter of [
      'displayName eq "DEVELOPERS"',
      'externalId eq "g-1"',
      `id eq "${id}" and members eq "${ada}"`,
      `members.value eq "${ada}"`,
    ]) {
      const { body } = await ask(`GET /Groups?excludedAttributes=members&filter=${filter}`)
      expect([filter, body.totalResults, body.Resources[0].id]).toEqual([filter, 1, id])
      expect(body.Resources[0].members).toBeUndefined()
    }
    expect((await ask('GET /Groups?startIndex=2&count=1')).body).toMatchObject({
      totalResults: 2,
      itemsPerPage: 1,
      Resources: [{ displayName: 'Others' }],
    })
    const wrong = await ask('GET /Groups?filter=displayName co "D"')
    expect([wrong.status, wrong.body.scimType]).toEqual([400, 'invalidFilter'])
  })

  it('ends with its grants, and touches no group that admins keep', async () => {
    const { id } = await create('Developers', people)
    await app.test.asOwner(
      `insert into access_grants (org_id, id, group_id, role, created_at, created_by)
       values ($1, 'gra_1', $2, 'admin', now(), '{}')`,
      [orgId, id],
    )
    await app.test.asOwner(
      `insert into member_groups (org_id, id, name, source, created_at, created_by)
       values ($1, 'grp_manual', 'Manual', 'manual', now(), '{}')`,
      [orgId],
    )
    for (const request of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const { status } = await ask(
        `${request} /Groups/grp_manual`,
        request === 'GET' ? undefined : { displayName: 'x' },
      )
      expect([request, status]).toEqual([request, 404])
    }
    const taken = await ask('POST /Groups', { displayName: 'MANUAL' })
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness'])
    expect((await ask(`PUT /Groups/${id}`, { displayName: 'manual' })).status).toBe(409)
    await expectOneEvent(app.test, 'group.deleted', () => ask(`DELETE /Groups/${id}`))
    expect(await app.test.asOwner('select 1 from access_grants')).toEqual([])
    expect((await ask(`GET /Groups/${id}`)).status).toBe(404)
  })

  it('has nobody in it who is of another organization', async () => {
    const other = await app.addOrganization('Other')
    const stranger = await app.addPerson(`stranger-${count}`, { [other]: 'owner' })
    const { id } = await create('Developers')
    for (const request of [
      () => ask('POST /Groups', { displayName: 'More', members: refs([stranger.userId]) }),
      () => patch(id, { op: 'add', path: 'members', value: refs([stranger.userId]) }),
      () => patch(id, { op: 'add', path: 'members', value: refs(['absent']) }),
      () => ask(`PUT /Groups/${id}`, { displayName: 'D', members: [{ value: 7 }] }),
      () => ask('POST /Groups', { displayName: '' }),
      () => ask('POST /Groups', { displayName: 'x'.repeat(101) }),
    ]) {
      await expectNoEvent(app.test, async () => {
        const { status, body } = await request()
        expect([status, body.scimType]).toEqual([400, 'invalidValue'])
      })
    }
    expect(await membersOf(id)).toEqual([])
  })
})
