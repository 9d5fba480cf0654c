import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { addMember } from '../testing/add-member.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

const hourMs = 3600 * 1000
/** Holds how far the clock of the service is ahead of that of the database. */
let aheadMs = 0
const now = () => new Date(Date.now() + aheadMs)

let opened: ConfigApp
let app: ConfigApp
let ada: string
let ben: string
let production: string
beforeAll(async () => {
  opened = await openConfigApp({ now })
})
beforeEach(async () => {
  aheadMs = 0
  app = await opened.another()
  ada = await addMember(app, 'ada')
  ben = await addMember(app, 'ben')
  const protection = { approvals: 1, approvers: { members: [ada, ben] }, override: 'nobody' }
  const body = { name: 'production', protection }
  production = (await app.ok('admin', 'POST /environments', { body })).body.id
  for (const role of ['owner', 'admin'] as const) {
    signIn(role, await addMember(app, `session-${role}`, role), role)
  }
})
afterAll(() => opened.close())

function signIn(name: string, userId: string, role: 'owner' | 'admin', authenticatedAt = now()) {
  const person = { ...app.person(name), userId, via: 'session', authenticatedAt } as const
  app.setActor(`session-${name}`, person, role)
}

const toAdmins = { approvers: { roles: ['admin', 'owner'] } }
const replace = (as = 'session-owner', protection: object = toAdmins) =>
  app.call(as, `PATCH /environments/${production}`, { body: { protection } })
const leave = (...userIds: string[]) =>
  app.test.asOwner('delete from members where org_id = $1 and user_id = any ($2)', [
    app.orgId,
    userIds,
  ])
const enterSql = `insert into members (org_id, user_id, role) values ($1, $2, 'developer')`
const enter = (userId: string) => app.test.asOwner(enterSql, [app.orgId, userId])
const listStuck = async () => {
  const rows = await app.test.asOwner<{ name: string }>(
    `select e.name from stuck_policies s join environments e on e.id = s.environment_id where s.org_id = $1`,
    [app.orgId],
  )
  return rows.map(({ name }) => name)
}
const since = async () => {
  const rows = await app.test.asOwner<{ since: Date }>(
    'select since from stuck_policies where org_id = $1 and environment_id = $2',
    [app.orgId, production],
  )
  return rows[0]?.since
}
const stuck = async () => (await since()) ?? expect.fail('Somebody can meet the policy')
const passHours = (hours: number, from: Date) => {
  aheadMs = from.getTime() + hours * hourMs - Date.now()
}

describe('the approvers of a policy that nobody can meet and nobody may override', () => {
  it('are chosen anew by an owner after 72 hours, with the password, and never before', async () => {
    expect((await replace()).body.code).toBe('approval_required')
    await leave(ada, ben)
    const from = await stuck()
    passHours(72, new Date(from.getTime() - 1000))
    await expectNoEvent(app.test, async () => {
      const { body } = await replace()
      expect(body).toMatchObject({
        status: 409,
        code: 'conflict',
        errors: [{ pointer: '/protection/approvers' }],
      })
      expect(body.detail).toContain(new Date(from.getTime() + 72 * hourMs).toISOString())
    })
    passHours(72, from)
    expect((await replace()).body).toMatchObject({ status: 403, code: 'step_up_required' })
    signIn('owner', 'usr_owner', 'owner')
    const event = await expectOneEvent(app.test, 'environment.approvers_replaced', replace)
    expect(event).toMatchObject({
      target: { type: 'environment', name: 'production' },
      detail: { protection: { before: { approvers: { members: expect.any(Array) } } } },
    })
    const { body } = await app.ok('viewer', `GET /environments/${production}`)
    expect(body.protection).toMatchObject({ approvals: 1, override: 'nobody', ...toAdmins })
    expect(await since()).toBeUndefined()
  })

  it('are chosen so by nobody else, and with no other change of the policy', async () => {
    await leave(ada, ben)
    passHours(73, await stuck())
    signIn('owner', 'usr_owner', 'owner')
    signIn('admin', 'usr_admin', 'admin')
    const other = [
      { approvals: 0 },
      { ...toAdmins, approvals: 0 },
      { ...toAdmins, override: 'owner' },
    ]
    const refused = [
      await replace('session-admin'),
      await replace('admin'),
      // A token can't type a password.
      await replace('owner'),
      ...(await Promise.all(other.map((protection) => replace('session-owner', protection)))),
    ]
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'approval_required'))
    const nobody = { approvers: { members: [ada] } }
    expect((await replace('session-owner', nobody)).body).toMatchObject({ status: 422 })
    // The control: the same owner, with the approvers alone.
    expect((await replace()).status).toBe(200)
  })

  it('wait anew from the last moment at which somebody could meet the policy', async () => {
    await leave(ada, ben)
    const first = await stuck()
    await enter(ada)
    expect(await since()).toBeUndefined()
    passHours(73, first)
    signIn('owner', 'usr_owner', 'owner')
    expect((await replace()).body.code).toBe('approval_required')
    await leave(ada)
    expect((await stuck()).getTime()).toBeGreaterThan(first.getTime())
    // A change that makes nothing possible leaves the moment as it is.
    const second = await stuck()
    await addMember(app, 'eve')
    expect(await since()).toEqual(second)
    await app.test.asOwner('update publisher_state set epoch = epoch + 1')
    expect((await stuck()).getTime()).toBeGreaterThan(second.getTime())
  })

  it('are missed as soon as the last grant, group or role is gone, and not before', async () => {
    const protection = { approvers: { roles: ['developer'] }, approvals: 1, override: 'nobody' }
    const body = { name: 'other', protection }
    const eve = await addMember(app, 'eve', 'viewer')
    await app.ok('admin', 'POST /environments', { body })
    const run = (text: string) => app.test.asOwner(text, [app.orgId, eve])
    await run(`insert into member_groups (org_id, id, name, source, created_at, created_by)
      select $1, 'grp_' || $2, $2, 'manual', now(), '{}'`)
    await run(`insert into group_members (org_id, group_id, user_id) values ($1, 'grp_' || $2, $2)`)
    await run(`insert into access_grants (org_id, id, group_id, role, created_at, created_by)
      values ($1, 'gra_' || $2, 'grp_' || $2, 'developer', now(), '{}')`)
    const other = async () => (await listStuck()).includes('other')
    await leave(ada, ben)
    expect(await other()).toBe(false)
    await run('delete from group_members where org_id = $1 and user_id = $2')
    expect(await other()).toBe(true)
    await run(`update members set role = 'developer' where org_id = $1 and user_id = $2`)
    expect(await other()).toBe(false)
  })
})

/** Lets the last who may approve leave while another arrives. Returns whether the policy counts as stuck afterwards. */
async function crossMembers(): Promise<boolean> {
  await leave(ada)
  const { store } = app.test
  const scope = { orgId: app.orgId }
  // Lets the triggers of the end of the transaction run within it.
  const settle = { name: 'settle', text: 'set constraints all immediate', values: [] }
  let arrival: Promise<void> | undefined
  await store.transaction(scope, async (tx) => {
    const text = 'delete from members where org_id = $1 and user_id = $2'
    await tx.query({ name: 'leave', text, values: [app.orgId, ben] })
    await tx.query(settle)
    arrival = store.transaction(scope, async (other) => {
      await other.query({ name: 'enter', text: enterSql, values: [app.orgId, ada] })
      await other.query(settle)
    })
    // It waits, or without the lock it ends.
    let hasArrived = false
    void arrival.then(() => (hasArrived = true))
    await expect.poll(async () => hasArrived || (await isWaiting())).toBe(true)
  })
  await arrival
  return (await since()) !== undefined
}

async function isWaiting(): Promise<boolean> {
  const waiting = await app.test.asOwner(
    `select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`,
  )
  return waiting.length > 0
}

describe('two changes of members at the same moment', () => {
  it('are seen one after the other', async () => {
    expect(await crossMembers()).toBe(false)
  })

  it('control: without the lock the policy counts as stuck although somebody can meet it', async () => {
    const [row] = await app.test.asOwner<{ text: string }>(
      `select pg_get_functiondef('find_stuck_policies'::regproc) as text`,
    )
    const text = row?.text ?? ''
    await app.test.asOwner(text.replace(/perform pg_advisory_xact_lock.*;/, ''))
    expect(await crossMembers()).toBe(true)
    await app.test.asOwner(text)
  })
})
