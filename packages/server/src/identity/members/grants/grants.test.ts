import type { Role } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../../audit/testing/expect-audit.ts'
import { openIdentityApp, type IdentityApp } from '../../testing/open-identity-app.ts'

let app: IdentityApp
let orgId: string
let owner: { readonly userId: string; readonly token: string }
let people = 0

beforeAll(async () => {
  app = await openIdentityApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  orgId = await app.addOrganization('Acme')
  owner = await add('owner')
})

const add = (role: Role) => app.addPerson(`person${++people}`, { [orgId]: role })
const call = (request: string, body?: object, as = owner.token) => {
  const [method, path] = request.split(' ')
  return app.call(`${method} /organizations/${orgId}${path}`, { as, ...(body && { body }) })
}
const addGroup = async (name: string) => (await call('POST /groups', { name })).body.id as string
const addEnvironment = async (): Promise<{ id: string }> => {
  const id = `env_${String(++people).padStart(26, '0')}`
  await app.test.asOwner(`insert into environments (org_id, id, name) values ($1, $2, $2)`, [
    orgId,
    id,
  ])
  return { id }
}
const roleOf = async (token: string) => {
  const { organizations } = (await app.ok('GET /me', { as: token })).body
  return organizations.find(({ id }: { id: string }) => id === orgId)?.role
}

describe('groups', () => {
  it('are made, renamed and deleted by admins, with an event each, and seen by every member', async () => {
    const viewer = await add('viewer')
    const event = await expectOneEvent(app.test, 'group.created', async () => {
      const made = await call('POST /groups', { name: 'Developers' })
      expect(made.body).toMatchObject({ name: 'Developers', source: 'manual', memberCount: 0 })
    })
    expect(event.target).toMatchObject({ type: 'group', name: 'Developers' })
    const [group] = (await call('GET /groups', undefined, viewer.token)).body.items
    expect((await call('POST /groups', { name: 'Mine' }, viewer.token)).body.code).toBe(
      'role_forbidden',
    )
    const renamed = await expectOneEvent(app.test, 'group.updated', () =>
      call(`PATCH /groups/${group.id}`, { name: 'Engineers' }),
    )
    expect(renamed.detail).toEqual({ from: 'Developers', to: 'Engineers' })
    await expectOneEvent(app.test, 'group.deleted', () => call(`DELETE /groups/${group.id}`))
    expect((await call(`GET /groups/${group.id}`)).status).toBe(404)
  })

  it('have names of their own, in whatever case of the letters', async () => {
    await addGroup('Developers')
    const other = await addGroup('Operators')
    await expectNoEvent(app.test, async () => {
      const twin = await call('POST /groups', { name: 'developers' })
      expect(twin.body).toMatchObject({ code: 'already_exists', errors: [{ pointer: '/name' }] })
      const renamed = await call(`PATCH /groups/${other}`, { name: 'DEVELOPERS' })
      expect(renamed.body.code).toBe('already_exists')
    })
  })

  it('take members of the organization alone, and end with the membership', async () => {
    const group = await addGroup('Developers')
    const member = await add('viewer')
    const stranger = await app.addPerson(`person${++people}`)
    expect((await call(`PUT /groups/${group}/members/${stranger.userId}`)).status).toBe(404)
    await expectOneEvent(app.test, 'group.member_added', () =>
      call(`PUT /groups/${group}/members/${member.userId}`),
    )
    await expectNoEvent(app.test, () => call(`PUT /groups/${group}/members/${member.userId}`))
    const list = async () => (await call(`GET /groups/${group}/members`)).body.items
    expect(await list()).toEqual([
      expect.objectContaining({
        userId: member.userId,
        addedBy: expect.objectContaining({ id: owner.userId }),
        addedWith: expect.objectContaining({ type: 'personal_access_token' }),
      }),
    ])
    await call(`DELETE /members/${member.userId}`)
    expect(await list()).toEqual([])
  })

  it('of the sign-in are not filled by hand', async () => {
    const member = await add('viewer')
    const { id } = (await call('POST /groups', { name: 'From sign-in', source: 'oidc' })).body
    const answer = await call(`PUT /groups/${id}/members/${member.userId}`)
    expect(answer.body).toMatchObject({ status: 409, code: 'conflict' })
  })
})

describe('grants', () => {
  it('of everything raise the role on every node with the answer, and their end lowers it', async () => {
    const other = await app.openNode()
    const member = await add('viewer')
    const rename = () =>
      other.call(`PATCH /organizations/${orgId}`, { as: member.token, body: { name: 'Renamed' } })
    expect((await rename()).body.code).toBe('role_forbidden')
    const group = await addGroup('Admins')
    await call(`PUT /groups/${group}/members/${member.userId}`)
    const event = await expectOneEvent(app.test, 'grant.created', async () => {
      const made = await call('POST /grants', { groupId: group, role: 'admin' })
      expect(made.body).toMatchObject({
        subject: { type: 'group', id: group, name: 'Admins' },
        role: 'admin',
        environmentIds: null,
        schemaIds: null,
      })
    })
    expect(event.detail).toMatchObject({ subject: 'group', role: 'admin' })
    expect((await rename()).status).toBe(200)
    expect(await roleOf(member.token)).toBe('admin')
    await call(`DELETE /groups/${group}/members/${member.userId}`)
    expect((await rename()).body.code).toBe('role_forbidden')
    expect(await roleOf(member.token)).toBe('viewer')
  })

  it('of one environment raise no role', async () => {
    const member = await add('viewer')
    const [environment] = await app.test.asOwner<{ id: string }>(
      `insert into environments (org_id, id, name) values ($1, 'env_00000000000000000000000001', 'e') returning id`,
      [orgId],
    )
    const environmentIds = [environment?.id]
    const made = await call('POST /grants', {
      userId: member.userId,
      role: 'admin',
      environmentIds,
    })
    expect(made.status).toBe(201)
    expect(await roleOf(member.token)).toBe('viewer')
    const me = (await app.ok('GET /me', { as: member.token })).body
    const { permissions } = me.organizations[0]
    expect(permissions[1]).toMatchObject({ environmentIds, schemaIds: null })
  })

  it('are changed with an event of both, and nothing is stored for the same', async () => {
    const member = await add('viewer')
    const { id } = (await call('POST /grants', { userId: member.userId, role: 'editor' })).body
    const event = await expectOneEvent(app.test, 'grant.updated', () =>
      call(`PATCH /grants/${id}`, { role: 'reader' }),
    )
    expect(event.detail).toMatchObject({ from: { role: 'editor' }, to: { role: 'reader' } })
    await expectNoEvent(app.test, () => call(`PATCH /grants/${id}`, { role: 'reader' }))
    await expectOneEvent(app.test, 'grant.deleted', () => call(`DELETE /grants/${id}`))
    expect((await call(`DELETE /grants/${id}`)).status).toBe(404)
  })

  it('are given once: the same one again is refused, also by a change, whatever the order of its environments', async () => {
    const { userId } = await add('viewer')
    const environmentIds = await app.test.asOwner<{ id: string }>(
      `insert into environments (org_id, id, name) values ($1, 'env_00000000000000000000000002', 'two'),
        ($1, 'env_00000000000000000000000003', 'three') returning id`,
      [orgId],
    )
    const ids = environmentIds.map(({ id }) => id)
    const body = { userId, role: 'editor', environmentIds: ids }
    expect((await call('POST /grants', body)).status).toBe(201)
    await expectNoEvent(app.test, async () => {
      const again = await call('POST /grants', { ...body, environmentIds: ids.toReversed() })
      expect([again.status, again.body.code]).toEqual([409, 'already_exists'])
      expect(again.body.errors[0].pointer).toBe('/role')
    })
    const other = (await call('POST /grants', { ...body, role: 'reader' })).body
    const changed = await call(`PATCH /grants/${other.id}`, { role: 'editor' })
    expect(changed.body.code).toBe('already_exists')
    expect((await call('POST /grants', { userId, role: 'editor' })).status).toBe(201)
  })

  it('that end take the invitations along which their admins may not make any more', async () => {
    const member = await add('viewer')
    const group = await addGroup('Admins')
    await call(`PUT /groups/${group}/members/${member.userId}`)
    await call('POST /grants', { groupId: group, role: 'admin' })
    const invitation = { email: 'new@example.com', role: 'viewer' }
    expect((await call('POST /invitations', invitation, member.token)).status).toBe(201)
    const own = { email: 'other@example.com', role: 'viewer' }
    expect((await call('POST /invitations', own)).status).toBe(201)
    const event = await expectOneEvent(app.test, 'group.member_removed', () =>
      call(`DELETE /groups/${group}/members/${member.userId}`),
    )
    expect(event.detail).toMatchObject({ invitationsEnded: 1 })
    const { items } = (await call('GET /invitations')).body
    expect(items.map(({ email }: { email: string }) => email)).toEqual(['other@example.com'])
  })

  it('are made by admins alone, also not by those who administer one environment', async () => {
    const member = await add('developer')
    const body = { userId: member.userId, role: 'admin' }
    const refused = await call('POST /grants', body, member.token)
    expect(refused.body.code).toBe('role_forbidden')
  })

  it('are given to server keys alone, within what these are made for, also in the database', async () => {
    const [{ id: env }, { id: other }] = [await addEnvironment(), await addEnvironment()]
    const addKey = async (kind: string, more: object = {}): Promise<string> =>
      (await call('POST /api-keys', { name: kind, kind, ...more })).body.id
    const keyId = await addKey('m2m', { access: 'read', environmentIds: [env] })
    const revoked = await addKey('m2m')
    await call(`DELETE /api-keys/${revoked}`)
    const browser = await addKey('b2m')
    const relay = await addKey('rly', { environmentIds: [env] })
    const role = 'editor'
    const bad: [object, string, RegExp][] = [
      [{ role, keyId: browser }, '/keyId', /Name a server key/],
      [{ role, keyId: relay }, '/keyId', /Name a server key/],
      [{ role, keyId: revoked }, '/keyId', /revoked/],
      [{ role, keyId: 'key_00000000000000000000000009' }, '/keyId', /no API key/],
      [
        { role, keyId, environmentIds: [env, other] },
        '/environmentIds/1',
        /Add this one to the key/,
      ],
      [{ role, keyId, userId: owner.userId }, '/keyId', /Name one of/],
    ]
    await expectNoEvent(app.test, async () => {
      for (const [body, pointer, detail] of bad) {
        const { errors } = (await call('POST /grants', body)).body
        expect([body, errors?.[0]]).toEqual([
          body,
          expect.objectContaining({ pointer, detail: expect.stringMatching(detail) }),
        ])
      }
    })
    const insert = (id: string) =>
      app.test.asOwner(
        `insert into access_grants (org_id, id, key_id, role, created_at, created_by)
          values ($1, $2, $2, 'editor', now(), '{}')`,
        [orgId, id],
      )
    for (const id of [browser, relay]) await expect(insert(id)).rejects.toThrow('Only server keys')
    const made = await call('POST /grants', { role, keyId, environmentIds: [env] })
    expect(made.body.subject).toEqual({ type: 'api_key', id: keyId, name: 'm2m' })
    const wider = await call(`PATCH /grants/${made.body.id}`, { environmentIds: [other] })
    expect(wider.body.errors?.[0]?.pointer).toBe('/environmentIds/0')
  })

  it('of a key end with it, and say so in its event', async () => {
    const { id: keyId } = (await call('POST /api-keys', { name: 'k', kind: 'm2m' })).body
    await call('POST /grants', { keyId, role: 'editor' })
    const event = await expectOneEvent(app.test, 'key.revoked', () =>
      call(`DELETE /api-keys/${keyId}`),
    )
    expect(event.detail).toEqual({ grantsEnded: 1 })
    expect((await call('GET /grants')).body.items).toEqual([])
  })

  it('that name nothing, two subjects, or what is not there are refused with the place', async () => {
    const member = await add('viewer')
    const group = await addGroup('Developers')
    const [env, sch] = ['env_00000000000000000000000009', 'sch_00000000000000000000000009']
    const bad: [object, string][] = [
      [{ role: 'editor' }, '/userId'],
      [{ role: 'editor', userId: member.userId, groupId: group }, '/groupId'],
      [{ role: 'owner', userId: member.userId }, '/role'],
      [{ role: 'editor', groupId: 'grp_00000000000000000000000009' }, '/groupId'],
      [{ role: 'editor', userId: member.userId, environmentIds: [env] }, '/environmentIds/0'],
      [{ role: 'editor', userId: member.userId, environmentIds: [] }, '/environmentIds'],
      [{ role: 'editor', userId: member.userId, schemaIds: [sch] }, '/schemaIds/0'],
    ]
    await expectNoEvent(app.test, async () => {
      for (const [body, pointer] of bad) {
        const answer = await call('POST /grants', body)
        expect([body, answer.body.errors?.[0]?.pointer]).toEqual([body, pointer])
      }
    })
    expect((await call('GET /grants')).body.items).toEqual([])
  })
})

describe('what somebody can do', () => {
  it('is answered with the role or the grant that decides', async () => {
    const member = await add('viewer')
    const group = await addGroup('Support')
    await call(`PUT /groups/${group}/members/${member.userId}`)
    const grant = (await call('POST /grants', { groupId: group, role: 'reader' })).body
    const { decisions, permissions } = (await call(`GET /members/${member.userId}/access`)).body
    const by = (verb: string) => decisions.find((each: { verb: string }) => each.verb === verb)
    expect(by('readValues')).toMatchObject({ allowed: true, by: { kind: 'role', role: 'viewer' } })
    expect(by('readSecrets')).toMatchObject({
      allowed: true,
      by: { kind: 'grant', grantId: grant.id, group: { id: group, name: 'Support' } },
    })
    expect(by('writeValues')).toEqual({ verb: 'writeValues', allowed: false, by: null })
    expect(permissions).toHaveLength(2)
  })

  it('is refused for an environment or a schema that is not there, with the place', async () => {
    const where =
      'environmentId=env_00000000000000000000000009&schemaId=sch_00000000000000000000000009'
    const answer = await call(`GET /members/${owner.userId}/access?${where}`)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_query'])
    expect(answer.body.errors).toMatchObject([
      { pointer: '?environmentId', detail: 'The organization has no environment with this id.' },
      { pointer: '?schemaId' },
    ])
  })

  it('names the groups, and no act that is about more than the grant', async () => {
    const member = await add('viewer')
    const group = await addGroup('Operators')
    await call(`PUT /groups/${group}/members/${member.userId}`)
    const environmentId = 'env_00000000000000000000000002'
    await app.test.asOwner(`insert into environments (org_id, id, name) values ($1, $2, 'e')`, [
      orgId,
      environmentId,
    ])
    const environmentIds = [environmentId]
    await call('POST /grants', { groupId: group, role: 'admin', environmentIds })
    const path = `/members/${member.userId}/access?environmentId=${environmentId}`
    const { groups, decisions } = (await call(`GET ${path}`)).body
    expect(groups).toEqual([{ id: group, name: 'Operators' }])
    const allowed = decisions
      .filter((each: { allowed: boolean }) => each.allowed)
      .map(({ verb }: { verb: string }) => verb)
    // A schema is the same in each environment, and access is the organization's.
    expect(allowed).toEqual(['readValues', 'readSecrets', 'writeValues', 'manageEnvironments'])
  })

  it('is answered for a key by its kind, its access and its environments', async () => {
    const key = (await call('POST /api-keys', { name: 'k', kind: 'm2m', access: 'read' })).body
    const { decisions } = (await call(`GET /api-keys/${key.id}/access`)).body
    const allowed = decisions
      .filter((each: { allowed: boolean }) => each.allowed)
      .map(({ verb }: { verb: string }) => verb)
    expect(allowed).toEqual(['readValues', 'readSecrets'])
  })

  it('names the grant that decides for a key, never more than the key is made for, and not the management of access', async () => {
    const [{ id: env }, { id: other }] = [await addEnvironment(), await addEnvironment()]
    const body = { name: 'k', kind: 'm2m', access: 'read', environmentIds: [env] }
    const key = (await call('POST /api-keys', body)).body
    const grant = (await call('POST /grants', { keyId: key.id, role: 'admin' })).body
    const ask = async (environmentId: string) =>
      (await call(`GET /api-keys/${key.id}/access?environmentId=${environmentId}`)).body
    const { decisions, permissions } = await ask(env)
    const by = (verb: string) => decisions.find((each: { verb: string }) => each.verb === verb)
    expect(by('readSecrets').by).toEqual({ kind: 'key', role: null, grantId: null, group: null })
    expect(by('writeValues').by).toMatchObject({ kind: 'grant', role: 'admin', grantId: grant.id })
    expect(by('manageAccess')).toEqual({ verb: 'manageAccess', allowed: false, by: null })
    expect(permissions[1].environmentIds).toEqual([env])
    expect((await ask(other)).decisions.some(({ allowed }: { allowed: boolean }) => allowed)).toBe(
      false,
    )
    const me = (await app.ok('GET /me', { as: key.secret })).body
    expect(permissions).toMatchObject(me.organizations[0].permissions)
  })
})
