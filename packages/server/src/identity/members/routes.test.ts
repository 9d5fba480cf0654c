import type { Role } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { bootstrapToken, openIdentityApp, type IdentityApp } from '../testing/open-identity-app.ts'

let app: IdentityApp
let orgId: string
let people = 0

beforeAll(async () => {
  app = await openIdentityApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  orgId = await app.addOrganization('Acme')
})

const add = (role: Role) => app.addPerson(`person${++people}`, { [orgId]: role })
const list = (as: string, query = '') =>
  app.ok(`GET /organizations/${orgId}/members${query}`, { as })
const change = (as: string, userId: string, role: Role, node: Pick<IdentityApp, 'call'> = app) =>
  node.call(`PATCH /organizations/${orgId}/members/${userId}`, { as, body: { role } })
const remove = (as: string, userId: string, node: Pick<IdentityApp, 'call'> = app) =>
  node.call(`DELETE /organizations/${orgId}/members/${userId}`, { as })
const outcome = ({ status, body }: Awaited<ReturnType<typeof change>>) => body?.code ?? status
const owners = async () =>
  (await app.test.asOwner(`select from members where org_id = $1 and role = 'owner'`, [orgId]))
    .length

describe('GET /organizations/{org_id}/members', () => {
  it('shows everybody with their role to every member, and to admins when they were here', async () => {
    const [owner, viewer] = [await add('owner'), await add('viewer')]
    await app.openBrowser(viewer.userId)
    const { items } = (await list(owner.token)).body
    expect(items).toEqual([
      {
        userId: owner.userId,
        name: expect.any(String),
        email: expect.stringContaining('@example.com'),
        role: 'owner',
        joinedAt: expect.any(String),
        grantedBy: null,
        grantedWith: null,
        lastSeenAt: null,
      },
      expect.objectContaining({
        userId: viewer.userId,
        role: 'viewer',
        lastSeenAt: expect.any(String),
      }),
    ])
    const seen = (await list(viewer.token)).body.items.map((item: object) => item)
    expect(seen.map(({ lastSeenAt }: { lastSeenAt: string | null }) => lastSeenAt)).toEqual([
      null,
      null,
    ])
  })

  it('comes in pages', async () => {
    const owner = await add('owner')
    await add('viewer')
    const first = (await list(owner.token, '?limit=1')).body
    const second = (await list(owner.token, `?limit=1&cursor=${first.nextCursor}`)).body
    expect([first.items[0].role, second.items[0].role, second.nextCursor]).toEqual([
      'owner',
      'viewer',
      null,
    ])
  })
})

describe('PATCH /organizations/{org_id}/members/{user_id}', () => {
  it('counts from the next request on, on every node, with one event', async () => {
    const [owner, admin] = [await add('owner'), await add('admin')]
    const other = await app.openNode()
    const rename = () =>
      other.call(`PATCH /organizations/${orgId}`, { as: admin.token, body: { name: 'Renamed' } })
    expect((await rename()).status).toBe(200)
    const event = await expectOneEvent(app.test, 'member.role_changed', async () => {
      const answer = await change(owner.token, admin.userId, 'viewer')
      expect(answer.body).toMatchObject({ userId: admin.userId, role: 'viewer' })
    })
    expect(event.detail).toEqual({ from: 'admin', to: 'viewer', invitationsEnded: 0 })
    expect(outcome(await rename())).toBe('role_forbidden')
    await expectNoEvent(app.test, () => change(owner.token, admin.userId, 'viewer'))
  })

  it('makes and changes owners for owners only, and raises nobody by himself', async () => {
    const people = { admin: await add('admin'), developer: await add('developer') }
    const owner = await add('owner')
    const { admin, developer } = people
    expect(outcome(await change(admin.token, admin.userId, 'owner'))).toBe('role_forbidden')
    expect(outcome(await change(admin.token, developer.userId, 'owner'))).toBe('role_forbidden')
    expect(outcome(await change(admin.token, owner.userId, 'viewer'))).toBe('role_forbidden')
    expect(outcome(await remove(admin.token, owner.userId))).toBe('role_forbidden')
    expect(outcome(await change(developer.token, developer.userId, 'admin'))).toBe('role_forbidden')
    expect(outcome(await change(admin.token, developer.userId, 'admin'))).toBe(200)
    expect(outcome(await change(owner.token, admin.userId, 'owner'))).toBe(200)
    expect(await owners()).toBe(2)
  })

  it('reaches nobody who is no member', async () => {
    const owner = await add('owner')
    const { userId } = await app.addPerson(`person${++people}`)
    expect(outcome(await change(owner.token, userId, 'viewer'))).toBe('not_found')
    expect(outcome(await remove(owner.token, userId))).toBe('not_found')
  })
})

describe('DELETE /organizations/{org_id}/members/{user_id}', () => {
  it('ends access at once on every node; the person and their other organizations stay', async () => {
    const elsewhere = await app.addOrganization('Elsewhere')
    const [owner, member] = [
      await add('owner'),
      await app.addPerson(`person${++people}`, { [orgId]: 'developer', [elsewhere]: 'viewer' }),
    ]
    const browser = await app.openBrowser(member.userId)
    const other = await app.openNode()
    const event = await expectOneEvent(app.test, 'member.removed', () =>
      remove(owner.token, member.userId),
    )
    expect(event.target).toMatchObject({ type: 'member', id: member.userId })
    for (const credential of [{ as: member.token }, { headers: browser }]) {
      expect((await other.call(`GET /organizations/${orgId}`, credential)).status).toBe(404)
      expect((await other.call(`GET /organizations/${elsewhere}`, credential)).status).toBe(200)
    }
  })

  it('lets everybody leave, and nobody but admins remove others', async () => {
    const [owner, viewer, developer] = [
      await add('owner'),
      await add('viewer'),
      await add('developer'),
    ]
    expect(outcome(await remove(developer.token, viewer.userId))).toBe('role_forbidden')
    await expectOneEvent(app.test, 'member.left', () => remove(viewer.token, viewer.userId))
    expect((await list(owner.token)).body.items).toHaveLength(2)
  })
})

describe('the last owner', () => {
  it('neither leaves nor is lowered, by whomever', async () => {
    const owner = await add('owner')
    await expectNoEvent(app.test, async () => {
      expect(outcome(await remove(owner.token, owner.userId))).toBe('last_owner')
      expect(outcome(await change(owner.token, owner.userId, 'admin'))).toBe('last_owner')
      expect(outcome(await change(bootstrapToken, owner.userId, 'admin'))).toBe('last_owner')
    })
    expect(await owners()).toBe(1)
  })

  it('is there when two owners lower, remove or leave each other at the same moment', async () => {
    const other = await app.openNode()
    for (const act of ['lower', 'remove', 'leave'] as const) {
      for (let round = 0; round < 4; round++) {
        orgId = await app.addOrganization('Race')
        const [one, two] = [await add('owner'), await add('owner')]
        const target = (own: typeof one, foreign: typeof one) => (act === 'leave' ? own : foreign)
        const run = (by: typeof one, on: typeof one, node: Pick<IdentityApp, 'call'>) =>
          act === 'lower'
            ? change(by.token, on.userId, 'admin', node)
            : remove(by.token, on.userId, node)
        const answers = await Promise.all([
          run(one, target(one, two), app),
          run(two, target(two, one), other),
        ])
        const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
        expect([act, statuses[0]! < 300, statuses[1]! >= 400, await owners()]).toEqual([
          act,
          true,
          true,
          1,
        ])
      }
    }
  })
})
