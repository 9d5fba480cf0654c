import { unprotected } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { newId } from '../../crypto/ids.ts'
import { listApprovers } from '../../identity/members/approvers.ts'
import { addMember } from '../testing/add-member.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let opened: ConfigApp
let app: ConfigApp
beforeAll(async () => {
  opened = await openConfigApp()
})
beforeEach(async () => {
  app = await opened.another()
})
afterAll(() => opened.close())

const protect = (environmentId: string, protection: object) =>
  app.call('admin', `PATCH /environments/${environmentId}`, { body: { protection } })
const create = (name: string, protection: object) =>
  app.call('admin', 'POST /environments', { body: { name, protection } })

/** Gives a member, or a group of which they are the only one, a role. */
async function grant(
  userId: string,
  { role, byGroup = false, environmentIds = null, schemaIds = null }: Grant,
): Promise<void> {
  const id = newId('gra', new Date())
  const groupId = newId('grp', new Date())
  if (byGroup) {
    await app.test.asOwner(
      `insert into member_groups (org_id, id, name, source, created_at, created_by) values ($1, $2, $2, 'manual', now(), '{}')`,
      [app.orgId, groupId],
    )
    await app.test.asOwner(
      `insert into group_members (org_id, group_id, user_id) values ($1, $2, $3)`,
      [app.orgId, groupId, userId],
    )
  }
  await app.test.asOwner(
    `insert into access_grants (org_id, id, user_id, group_id, role, environment_ids, schema_ids, created_at, created_by)
      values ($1, $2, $3, $4, $5, $6, $7, now(), '{}')`,
    [
      app.orgId,
      id,
      byGroup ? null : userId,
      byGroup ? groupId : null,
      role,
      environmentIds,
      schemaIds,
    ],
  )
}

interface Grant {
  readonly role: 'admin' | 'developer' | 'editor' | 'reader'
  readonly byGroup?: boolean
  readonly environmentIds?: readonly string[] | null
  readonly schemaIds?: readonly string[] | null
}

describe('the approvals of an environment', () => {
  it('are stored member by member, shown by every read, and recorded old and new', async () => {
    const [ada, ben] = [await addMember(app, 'ada'), await addMember(app, 'ben', 'admin')]
    const other = await app.addEnvironment('other')
    const one = await protect(other, { approvals: 1 })
    expect(one.body.protection).toEqual({ ...unprotected, approvals: 1 })
    const id = await app.addEnvironment('ruled')
    const full = {
      confirm: true,
      comment: false,
      approvals: 1,
      approvers: { members: [ben, ada, ben] },
      declineBlocks: false,
      override: 'nobody',
      killSwitches: 'approved',
      prove: null,
    }
    const shown = { ...full, approvers: { members: [ada, ben].toSorted() } }
    const event = await expectOneEvent(app.test, 'environment.updated', () => protect(id, full))
    expect(event.detail).toMatchObject({
      protection: { before: unprotected, after: shown },
    })
    const schemaId = await app.addSchema('read', { a: { type: 'string', tier: 'public' } })
    const { items } = (await app.ok('viewer', 'GET /environments')).body
    const matrix = (await app.ok('viewer', `GET /config-matrix?schemaId=${schemaId}`)).body
    for (const read of [
      (await app.ok('viewer', `GET /environments/${id}`)).body,
      items.find((one: { id: string }) => one.id === id),
      matrix.environments.find((one: { id: string }) => one.id === id),
    ]) {
      expect(read.protection).toEqual(shown)
    }
    // The same approvers in another order are no change.
    await expectNoEvent(app.test, () => protect(id, { approvers: { members: [ben, ada] } }))
    const made = await create('made', { ...full, approvers: { roles: ['admin', 'developer'] } })
    expect(made.body.protection.approvers).toEqual({ roles: ['developer', 'admin'] })
  })

  it('are in the requirements of a change', async () => {
    await addMember(app, 'ada')
    await addMember(app, 'ben')
    const environmentId = (await create('asked', { approvals: 1 })).body.id
    const schemaId = await app.addSchema('asked', { a: { type: 'string', tier: 'public' } })
    const dry = await app.ok('developer', 'POST /config-changes', {
      body: { schemaId, changes: [{ environmentId, set: { a: 'x' } }], dryRun: true },
    })
    expect(dry.body.requires).toMatchObject([
      { environmentId, environment: 'asked', confirm: false, comment: false, approvals: 1 },
    ])
  })

  it.each([
    { protection: { approvals: 4 }, pointer: '/protection/approvals' },
    { protection: { approvals: 1.5 }, pointer: '/protection/approvals' },
    { protection: { approvers: { roles: [] } }, pointer: '/protection/approvers' },
    { protection: { approvers: {} }, pointer: '/protection/approvers' },
    { protection: { override: 'viewer' }, pointer: '/protection/override' },
    { protection: { killSwitches: 'never' }, pointer: '/protection/killSwitches' },
  ])('are refused with the place where they are no policy: $protection', async (bad) => {
    await expectNoEvent(app.test, async () => {
      const { body } = await create('bad', bad.protection)
      expect(body).toMatchObject({ status: 422, code: 'validation_failed' })
      expect(body.errors[0].pointer).toMatch(new RegExp(`^${bad.pointer}`))
    })
  })

  it('name only members, as long as they are chosen anew', async () => {
    const [ada, ben, eve] = [
      await addMember(app, 'ada'),
      await addMember(app, 'ben'),
      await addMember(app, 'eve'),
    ]
    const stranger = newId('usr', new Date())
    const approvers = { members: [ada, stranger] }
    await expectNoEvent(app.test, async () => {
      expect((await create('strange', { approvals: 1, approvers })).body).toMatchObject({
        status: 422,
        code: 'validation_failed',
        errors: [{ detail: 'The organization has no member with this id.' }],
      })
    })
    const { body } = await create('left', { approvals: 1, approvers: { members: [ada, ben, eve] } })
    await app.test.asOwner('delete from members where user_id = $1', [eve])
    // Keeping what the policy has already is no choice, so that a form that sends it back is not refused.
    const { approvers: stored } = body.protection
    const commented = await protect(body.id, { comment: true, approvers: stored })
    expect(commented.body.protection).toMatchObject({ comment: true, approvers: stored })
  })
})

describe('a policy that nobody could meet', () => {
  const refused = (pointer: string, detail: RegExp) => ({
    status: 422,
    code: 'no_possible_approver',
    errors: [{ pointer, code: 'no_possible_approver', detail: expect.stringMatching(detail) }],
  })

  it('is refused while it needs more people than may approve, one of whom is the author', async () => {
    const id = await app.addEnvironment('alone')
    const expectRefused = (protection: object, pointer: string, detail: RegExp) =>
      expectNoEvent(app.test, async () => {
        expect((await protect(id, protection)).body).toMatchObject(refused(pointer, detail))
        expect((await create('other', protection)).body.code).toBe('no_possible_approver')
      })
    await expectRefused({ approvals: 1 }, '/protection/approvals', /^No member may .* at least 2:/)
    const ada = await addMember(app, 'ada')
    await addMember(app, 'eve', 'viewer')
    await expectRefused({ approvals: 1 }, '/protection/approvals', /^Only 1 member may approve/)
    const ben = await addMember(app, 'ben', 'admin')
    await expectRefused({ approvals: 2 }, '/protection/approvals', /^Only 2 members .* at least 3:/)
    const toOwners = { approvals: 1, approvers: { roles: ['owner'] } }
    await expectRefused(toOwners, '/protection/approvers', /^No member/)
    const toAda = { approvals: 1, approvers: { members: [ada] } }
    await expectRefused(toAda, '/protection/approvers', /^Only 1 member/)
    // The control: with one more it is saved.
    expect((await protect(id, { approvals: 1 })).status).toBe(200)
    const named = await create('named', { approvals: 1, approvers: { members: [ada, ben] } })
    expect(named.status).toBe(201)
    expect((await protect(named.body.id, { approvals: 2 })).body).toMatchObject(
      refused('/protection/approvals', /^Only 2 members/),
    )
  })

  it('stays as it is when members leave, while what does not choose people may change', async () => {
    await addMember(app, 'ada')
    const ben = await addMember(app, 'ben')
    const { id } = (await create('left', { approvals: 1 })).body
    await app.test.asOwner('delete from members where user_id = $1', [ben])
    expect((await protect(id, { comment: true })).body.protection).toMatchObject({ approvals: 1 })
    expect((await protect(id, { approvals: 2 })).body.code).toBe('no_possible_approver')
  })
})

describe('the members who may approve', () => {
  it('are those of the roles, by their own or by a grant that reaches all of the environment, and those who are named', async () => {
    const [one, two] = [await app.addEnvironment('one'), await app.addEnvironment('two')]
    const schemaId = await app.addSchema('s', { a: { type: 'string', tier: 'public' } })
    const users = new Map<string, string>()
    const add = async (
      name: string,
      role: 'admin' | 'developer' | 'viewer',
      ...grants: Grant[]
    ) => {
      const userId = await addMember(app, name, role)
      users.set(userId, name)
      for (const each of grants) await grant(userId, each)
      return userId
    }
    await add('admin-by-role', 'admin')
    await add('developer-by-role', 'developer')
    const named = await add('nobody', 'viewer')
    await add('admin-here', 'viewer', { role: 'admin', environmentIds: [one] })
    await add('admin-by-group', 'viewer', { role: 'admin', byGroup: true })
    await add('of-one-schema', 'viewer', { role: 'admin', schemaIds: [schemaId] })
    await add('editor', 'viewer', { role: 'editor' }, { role: 'reader' })
    const foreign = newId('usr', new Date())
    const listed = await app.test.store.transaction({ orgId: app.orgId }, (tx) =>
      listApprovers(tx, app.orgId, [
        { id: one, approvers: { roles: ['admin'] } },
        { id: two, approvers: { roles: ['developer', 'admin'] } },
        { id: 'env_new', approvers: { members: [named, foreign] } },
      ]),
    )
    const namesIn = (id: string) =>
      listed.get(id)?.map(({ userId, name }) => {
        expect(users.get(userId)).toBe(name)
        return name
      })
    expect(namesIn(one)).toEqual(['admin-by-role', 'admin-here', 'admin-by-group'])
    expect(namesIn(two)).toEqual(['admin-by-role', 'developer-by-role', 'admin-by-group'])
    expect(namesIn('env_new')).toEqual(['nobody'])
  })
})
