import type { Role } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import {
  bootstrapToken,
  cookieOf,
  openIdentityApp,
  password,
  type Answer,
  type IdentityApp,
} from '../testing/open-identity-app.ts'

type Person = Awaited<ReturnType<IdentityApp['addPerson']>>

let app: IdentityApp
let orgId: string
let owner: Person
let people = 0

beforeAll(async () => {
  app = await openIdentityApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  orgId = await app.addOrganization('Acme')
  owner = await add('owner')
})

const name = () => `person${++people}`
const add = (role: Role) => app.addPerson(name(), { [orgId]: role })
const invite = (email: string, role: Role = 'developer', as = owner.token, headers = {}) =>
  app.call(`POST /organizations/${orgId}/invitations`, { as, body: { email, role }, headers })
/** Invites, and answers the token of the link. */
const inviteToken = async (email: string, role?: Role, as?: string): Promise<string> =>
  (await invite(email, role, as)).body.url.split('#')[1]
const list = async () =>
  (await app.ok(`GET /organizations/${orgId}/invitations`, { as: owner.token })).body.items
const preview = (token: string, headers = {}) =>
  app.call('POST /invitations/preview', { body: { token }, headers })
const accept = (token: string, as: string) =>
  app.call('POST /invitations/accept', { body: { token }, as })
const register = (token: string, node: Pick<IdentityApp, 'call'> = app, headers = {}) =>
  node.call('POST /invitations/register', { body: { token, name: 'Grace', password }, headers })
const code = ({ status, body }: Answer) => body?.code ?? status
const sorted = (answers: readonly Answer[]) => answers.map((each) => String(code(each))).sort()
const isMember = async (userId: string) =>
  (
    await app.test.asOwner('select from members where org_id = $1 and user_id = $2', [
      orgId,
      userId,
    ])
  ).length === 1

describe('POST /organizations/{org_id}/invitations', () => {
  it('shows the link once, with the token where browsers send it to nobody, and stores its hash', async () => {
    const email = `${name()}@example.com`
    let answer = await invite('first@example.com')
    const event = await expectOneEvent(app.test, 'invitation.created', async () => {
      answer = await invite(` ${email.toUpperCase()} `, 'viewer')
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ email, role: 'viewer', state: 'open' })
    const [address, token] = answer.body.url.split('#')
    expect(address).toBe('http://127.0.0.1:4400/invitation')
    expect(event).toMatchObject({ target: { name: email }, detail: { role: 'viewer' } })
    expect(JSON.stringify(event)).not.toContain(token)
    expect(JSON.stringify(await list())).not.toContain(token)
    const rows = await app.test.asOwner('select t::text from invitations t')
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1])
    const days = Date.parse(answer.body.expiresAt) - Date.parse(answer.body.createdAt)
    expect(days).toBe(7 * 24 * 3600 * 1000)
  })

  it('is for admins, and owners are invited by owners only (Flagsmith PR 4653)', async () => {
    for (const role of ['developer', 'viewer'] as const) {
      expect(code(await invite('a@example.com', 'viewer', (await add(role)).token))).toBe(
        'role_forbidden',
      )
    }
    const admin = await add('admin')
    expect(code(await invite('a@example.com', 'owner', admin.token))).toBe('role_forbidden')
    expect(code(await invite('a@example.com', 'admin', admin.token))).toBe(201)
    expect(code(await invite('b@example.com', 'owner'))).toBe(201)
    expect(code(await invite('c@example.com', 'owner', bootstrapToken))).toBe(201)
  })

  it('leaves an address one open invitation: another one takes the place of the former', async () => {
    const { userId, token: as } = await app.addPerson('replaced')
    const first = await inviteToken('replaced@example.com', 'admin')
    const second = await inviteToken('replaced@example.com', 'viewer')
    expect(await list()).toHaveLength(1)
    expect(code(await accept(first, as))).toBe('invitation_ended')
    expect((await accept(second, as)).body.role).toBe('viewer')
    expect(await isMember(userId)).toBe(true)
    expect(code(await invite('replaced@example.com'))).toBe('already_exists')
  })

  it('stops at 100 open invitations', async () => {
    await app.test.asOwner(
      `insert into invitations (org_id, id, email, role, token_hash, invited_by, created_at, expires_at)
       select $1, 'inv_' || n, n || '@example.com', 'viewer', sha256(n::text::bytea), '{}', now(), now() + interval '1 day'
       from generate_series(1, 98) n`,
      [orgId],
    )
    const emails = ['x@example.com', 'y@example.com', 'z@example.com']
    const answers = await Promise.all(emails.map((email) => invite(email)))
    expect(sorted(answers)).toEqual(['201', '201', 'quota_exceeded'])
    expect(code(await invite('1@example.com'))).toBe(201)
  })
})

describe('DELETE /organizations/{org_id}/invitations/{invitation_id}', () => {
  it('withdraws an invitation of the own organization, and no other', async () => {
    const made = await invite('withdrawn@example.com')
    const token = made.body.url.split('#')[1]
    const path = `invitations/${made.body.id}`
    const elsewhere = await app.addOrganization('Elsewhere')
    const foreign = { as: bootstrapToken }
    expect(code(await app.call(`DELETE /organizations/${elsewhere}/${path}`, foreign))).toBe(
      'not_found',
    )
    expect(code(await preview(token))).toBe(200)
    await expectOneEvent(app.test, 'invitation.revoked', () =>
      app.ok(`DELETE /organizations/${orgId}/${path}`, { as: owner.token }),
    )
    expect(code(await preview(token))).toBe('invitation_ended')
    expect(code(await register(token))).toBe('invitation_ended')
  })
})

describe('POST /invitations/preview', () => {
  it('shows where to and by whom, and the whole address to its own person alone', async () => {
    const invited = await app.addPerson('looker')
    const token = await inviteToken('looker@example.com', 'admin')
    const shown = {
      organizationName: 'Acme',
      invitedBy: expect.stringMatching(/^person/),
      email: 'l…@example.com',
      role: 'admin',
      expiresAt: expect.any(String),
      signedInAs: 'nobody',
      accountExists: true,
    }
    expect((await preview(token)).body).toEqual(shown)
    const somebody = await app.openBrowser(owner.userId)
    const toSomebody = { ...shown, signedInAs: 'somebody_else' }
    expect((await preview(token, somebody)).body).toEqual(toSomebody)
    const own = await app.openBrowser(invited.userId)
    const toInvited = { ...shown, signedInAs: 'invited', email: 'looker@example.com' }
    expect((await preview(token, own)).body).toEqual(toInvited)
    expect((await preview(token, { cookie: '__Host-s=junk' })).body).toEqual(shown)
    const toNobody = (await preview(await inviteToken('stranger@example.com'))).body
    expect(toNobody.accountExists).toBe(false)
  })

  it('tells nothing of what the token does not name: an end, another organization and junk are alike', async () => {
    const elsewhere = await app.addOrganization('Elsewhere')
    const token = await inviteToken('alike@example.com')
    const moved = `${elsewhere.slice(4)}.${token.split('.')[1]}`
    const unknown = `${orgId.slice(4)}.${'x'.repeat(43)}`
    const answers = []
    for (const each of [moved, unknown, 'junk', '']) answers.push(await preview(each))
    const shown = answers.map(({ status, body }) => ({ status, ...body, instance: '' }))
    expect(shown[0]).toMatchObject({ status: 410, code: 'invitation_ended' })
    expect(new Set(shown.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(code(await preview(token))).toBe(200)
  })

  it('costs a network of its sign-in allowance, a whole /64 as one', async () => {
    const signIn = { perSecond: 0.001, burst: 3 }
    const node = await app.openNode({ rateLimits: { ...defaultRateLimits, signIn } })
    const codes = []
    for (let host = 1; host <= 5; host++) {
      const headers = { 'x-forwarded-for': `2001:db8:0:1::${host}` }
      const body = { token: 'guessed' }
      codes.push(code(await node.call('POST /invitations/preview', { body, headers })))
    }
    expect(codes.slice(2)).toEqual(['invitation_ended', 'rate_limited', 'rate_limited'])
    node.feed.close()
  })
})

describe('POST /invitations/accept', () => {
  it('makes the invited person a member in the invited role, once, with one event', async () => {
    const invited = await app.addPerson('joiner')
    const token = await inviteToken('joiner@example.com', 'admin')
    const event = await expectOneEvent(app.test, 'member.joined', async () => {
      const answer = await accept(token, invited.token)
      expect(answer.body).toMatchObject({ organization: { id: orgId }, role: 'admin' })
    })
    expect(event).toMatchObject({
      org_id: orgId,
      target: { id: invited.userId },
      detail: { role: 'admin', registered: false },
    })
    expect((await app.call(`GET /organizations/${orgId}`, { as: invited.token })).status).toBe(200)
    expect(code(await accept(token, invited.token))).toBe('invitation_ended')
    expect(await list()).toEqual([])
  })

  it('is for the invited address only, whoever holds the link (GHSA-fmh4-wcc4-5jm3)', async () => {
    const thief = await app.addPerson('thief')
    const rightful = await app.addPerson('rightful')
    const token = await inviteToken('rightful@example.com', 'owner')
    await expectNoEvent(app.test, async () => {
      const refused = await accept(token, thief.token)
      expect([refused.status, refused.body.code]).toEqual([403, 'invitation_for_other'])
      expect(refused.body.detail).toContain('r…@example.com')
      expect(refused.body.detail).not.toContain('rightful@')
      expect(code(await accept(token, bootstrapToken))).toBe('role_forbidden')
    })
    expect(await isMember(thief.userId)).toBe(false)
    expect((await accept(token, rightful.token)).status).toBe(200)
  })

  it('accepts an invitation once when two requests come at the same moment', async () => {
    const other = await app.openNode()
    for (let round = 0; round < 4; round++) {
      const who = name()
      const invited = await app.addPerson(who)
      const token = await inviteToken(`${who}@example.com`)
      const body = { token }
      const answers = await Promise.all(
        [app, other].map((node) =>
          node.call('POST /invitations/accept', { as: invited.token, body }),
        ),
      )
      expect(sorted(answers)).toEqual(['200', 'invitation_ended'])
    }
  })
})

describe('POST /invitations/register', () => {
  it('takes no password that is guessed first, and the invitation stays open', async () => {
    const token = await inviteToken('plain@example.com')
    const body = { token, name: 'Grace', password: '            ' }
    const refused = await app.call('POST /invitations/register', { body })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/password'])
    expect((await register(token)).status).toBe(201)
  })

  it('makes the account of the invited address, joins and signs in, all with one event', async () => {
    const token = await inviteToken('grace@example.com', 'developer')
    let answer = await preview(token)
    const event = await expectOneEvent(app.test, 'member.joined', async () => {
      answer = await register(token)
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      user: { name: 'Grace', email: 'grace@example.com' },
      organization: { id: orgId },
      role: 'developer',
    })
    expect(event.detail).toMatchObject({ registered: true })
    const me = await app.ok('GET /me', { headers: { cookie: cookieOf(answer) } })
    expect(me.body).toMatchObject({ email: 'grace@example.com', organizations: [{ id: orgId }] })
    const signedIn = await app.call('POST /sessions', {
      body: { email: 'grace@example.com', password },
    })
    expect(signedIn.status).toBe(201)
  })

  it('never takes an account over: an address that has one signs in instead', async () => {
    const { userId } = await app.addPerson('taken')
    await app.setPassword(userId)
    const token = await inviteToken('taken@example.com')
    await expectNoEvent(app.test, async () => {
      const refused = await register(token)
      expect([refused.status, refused.body.code]).toEqual([409, 'already_exists'])
      expect(refused.headers.get('set-cookie')).toBeNull()
    })
    expect(await isMember(userId)).toBe(false)
    expect(code(await preview(token))).toBe(200)
  })

  it('makes one account when it is asked for at once, also by two organizations', async () => {
    const other = await app.openNode()
    const first = await inviteToken('race@example.com')
    orgId = await app.addOrganization('Second')
    const second = await inviteToken('race@example.com', 'viewer', bootstrapToken)
    const answers = await Promise.all([
      register(first),
      register(first, other),
      register(second, other),
    ])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(
      answers
        .filter(({ status }) => status >= 400)
        .every(({ status }) => [409, 410].includes(status)),
    ).toBe(true)
    const rows = await app.test.asOwner(`select from users where email = 'race@example.com'`)
    expect(rows).toHaveLength(1)
  })

  it('is refused to a page of another site, and gives a session that nobody knew before', async () => {
    const token = await inviteToken('fixed@example.com')
    const foreign = await register(token, app, { 'sec-fetch-site': 'cross-site' })
    expect(code(foreign)).toBe('csrf_failed')
    const planted = `__Host-s=${'x'.repeat(43)}`
    const answer = await register(token, app, { cookie: planted })
    expect(cookieOf(answer)).toMatch(/^__Host-s=[\w-]{43}$/)
    expect(cookieOf(answer)).not.toBe(planted)
  })
})

describe('an invitation', () => {
  it('ends after seven days, and is listed as expired until then somebody invites again', async () => {
    const { token: as } = await app.addPerson('late')
    const token = await inviteToken('late@example.com')
    app.clock.advance(7 * 24 * 3600 * 1000)
    expect((await list())[0]).toMatchObject({ email: 'late@example.com', state: 'expired' })
    expect(code(await accept(token, as))).toBe('invitation_ended')
    expect(code(await register(token))).toBe('invitation_ended')
  })

  it('ends when the organization is deleted', async () => {
    const { token: as } = await app.addPerson('orphan')
    const token = await inviteToken('orphan@example.com')
    await app.ok(`DELETE /organizations/${orgId}`, { as: owner.token })
    expect(code(await preview(token))).toBe('invitation_ended')
    expect(code(await accept(token, as))).toBe('invitation_ended')
  })

  it('ends when whoever invited may not do that any more, and not by a change that leaves the right', async () => {
    const second = await add('owner')
    const made = {
      owner: await inviteToken('made-owner@example.com', 'owner', second.token),
      viewer: await inviteToken('made-viewer@example.com', 'viewer', second.token),
    }
    const open = async () => [code(await preview(made.owner)), code(await preview(made.viewer))]
    const lower = (role: Role) =>
      app.ok(`PATCH /organizations/${orgId}/members/${second.userId}`, {
        as: owner.token,
        body: { role },
      })
    await lower('admin')
    expect(await open()).toEqual(['invitation_ended', 200])
    await lower('developer')
    expect(await open()).toEqual(['invitation_ended', 'invitation_ended'])
    await lower('owner')
    const last = await inviteToken('made-last@example.com', 'viewer', second.token)
    await app.ok(`DELETE /organizations/${orgId}/members/${second.userId}`, { as: owner.token })
    expect(code(await preview(last))).toBe('invitation_ended')
  })
})
