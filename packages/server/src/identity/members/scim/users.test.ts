import { cliClientId, deviceGrantType } from '@signalbox/contract/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../../audit/testing/expect-audit.ts'
import { newToken } from '../../../crypto/tokens.ts'
import { mountMade } from '../../../read-models/identity/routes.ts'
import {
  bootstrapToken,
  openIdentityApp,
  type IdentityApp,
} from '../../testing/open-identity-app.ts'
import { askAs, patchOf, userSchema, type Ask } from './testing/open-scim.ts'

let app: IdentityApp
let orgId: string
let owner: Awaited<ReturnType<IdentityApp['addPerson']>>
let token: string
let ask: Ask
let domain: string
let count = 0

beforeAll(async () => {
  app = await openIdentityApp({ mount: mountMade })
})
afterAll(() => app.close())
beforeEach(async () => {
  count += 1
  orgId = await app.addOrganization('Acme')
  owner = await app.addPerson(`owner-${count}`, { [orgId]: 'owner' })
  domain = `acme${count}.com`
  await proveDomain(orgId, domain)
  token = await addToken()
  ask = askAs(app.call, orgId, token)
})

const proveDomain = (org: string, name: string) =>
  app.test.asOwner(
    `insert into email_domains (org_id, domain, challenge, created_at, created_by, verified_at)
     values ($1, $2, 'x', now(), '{"type":"system","id":null,"name":"Test"}', now())`,
    [org, name],
  )
const addToken = async (): Promise<string> =>
  (
    await app.ok(`POST /organizations/${orgId}/scim-tokens`, {
      as: owner.token,
      body: { name: 'Okta' },
    })
  ).body.secret
const userOf = (name: string, more: object = {}) => ({
  schemas: [userSchema],
  userName: `${name}@${domain}`,
  name: { givenName: name, familyName: 'Lovelace' },
  emails: [{ value: `${name}@${domain}`, type: 'work', primary: true }],
  active: true,
  ...more,
})
const create = async (name: string, more: object = {}) =>
  (await ask('POST /Users', userOf(name, more))).body
const roleOf = async (userId: string, org = orgId) =>
  (
    await app.test.asOwner<{ role: string }>(
      'select role from members where org_id = $1 and user_id = $2',
      [org, userId],
    )
  )[0]?.role
const setActive = (id: string, active: unknown) =>
  ask(`PATCH /Users/${id}`, patchOf({ op: 'replace', path: 'active', value: active }))

/** Expects the shape that RFC 7644 §3.12 gives errors. */
function expectError(
  { status, headers, body }: Awaited<ReturnType<Ask>>,
  expected: number,
  scimType?: string,
): void {
  expect(body).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(expected),
    ...(scimType !== undefined && { scimType }),
    detail: expect.stringMatching(/\.$/),
  })
  expect([status, headers.get('content-type')]).toEqual([expected, 'application/scim+json'])
}

describe('a SCIM token', () => {
  it('is shown once, is stored as a hash, and opens SCIM of its organization alone', async () => {
    expect(token).toMatch(/^sbx_scm_[0-9A-Za-z]{46}$/)
    const listed = await app.ok(`GET /organizations/${orgId}/scim-tokens`, { as: owner.token })
    expect(listed.body.items).toMatchObject([
      { name: 'Okta', prefix: token.slice(0, 18), createdWith: { type: 'personal_access_token' } },
    ])
    const rows = await app.test.asOwner('select t::text from scim_tokens t')
    for (const text of [listed.text, JSON.stringify(rows)]) {
      expect(text).not.toContain(token.slice(18))
    }
    for (const request of [`GET /organizations/${orgId}`, 'GET /me', 'GET /organizations']) {
      const answer = await app.call(request, { as: token })
      expect([request, answer.status, answer.body.code]).toEqual([
        request,
        401,
        'invalid_credentials',
      ])
    }
    const other = await app.addOrganization('Other')
    expectError(await askAs(app.call, other, token)('GET /Users'), 404)
    for (const wrong of [newToken('scm').token, owner.token, bootstrapToken, 'x']) {
      expectError(await askAs(app.call, orgId, wrong)('GET /Users'), 401)
    }
    const unnamed = await app.call(`GET /organizations/${orgId}/scim/v2/Users`)
    expectError(unnamed, 401)
    expect(unnamed.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('is made by owners who have verified a domain, two at most, and ends at once', async () => {
    const path = `/organizations/${orgId}/scim-tokens`
    const make = (as: string) => app.call(`POST ${path}`, { as, body: { name: 'more' } })
    const admin = await app.addPerson(`admin-${count}`, { [orgId]: 'admin' })
    expect((await make(admin.token)).body.code).toBe('role_forbidden')
    const second = await expectOneEvent(app.test, 'scim_token.created', () => make(owner.token))
    expect(second.target.name).toBe('more')
    expect((await make(owner.token)).body.code).toBe('quota_exceeded')
    const [, first] = (await app.ok(`GET ${path}`, { as: owner.token })).body.items
    await expectOneEvent(app.test, 'scim_token.revoked', () =>
      app.call(`DELETE ${path}/${first.id}`, { as: owner.token }),
    )
    expectError(await ask('GET /Users'), 401)
    await app.test.asOwner('update email_domains set verified_at = null where org_id = $1', [orgId])
    expect((await make(owner.token)).body.code).toBe('domain_unverified')
  })
})

describe('a person whom a directory adds', () => {
  it('is a viewer with an account without a password, told to the directory as it was sent', async () => {
    let answer = await ask('GET /Users')
    const event = await expectOneEvent(app.test, 'member.provisioned', async () => {
      answer = await ask('POST /Users', userOf('ada', { externalId: '007' }))
    })
    const { id, meta, ...shown } = answer.body
    const address = `http://127.0.0.1:4400/organizations/${orgId}/scim/v2/Users/${id}`
    expect([answer.status, answer.headers.get('location')]).toEqual([201, address])
    expect(shown).toEqual({ ...userOf('ada'), externalId: '007', groups: [] })
    expect(meta).toMatchObject({ resourceType: 'User', location: address })
    expect(event).toMatchObject({
      org_id: orgId,
      actor: { type: 'system', name: 'The directory Okta' },
      detail: { role: 'viewer', registered: true },
    })
    expect(await roleOf(id)).toBe('viewer')
    expect(
      await app.test.asOwner('select email, name, password_hash from users where id = $1', [id]),
    ).toEqual([{ email: `ada@${domain}`, name: 'ada Lovelace', password_hash: null }])
    expect((await ask(`GET /Users/${id}`)).body).toEqual(answer.body)
  })

  it('is of a domain that this organization has verified, and of no other', async () => {
    const other = await app.addOrganization('Other')
    await proveDomain(other, `other${count}.com`)
    for (const foreign of [`other${count}.com`, 'example.net', `sub.${domain}`]) {
      const sent = userOf('eve', { emails: [{ value: `eve@${foreign}`, primary: true }] })
      await expectNoEvent(app.test, async () => expectError(await ask('POST /Users', sent), 403))
    }
    expect(await app.test.asOwner(`select 1 from users where email like 'eve@%'`)).toEqual([])
  })

  it('is no account that somebody signs in to: its address was never verified', async () => {
    const squatter = await app.addPerson(`squatter-${count}`)
    const address = `target@${domain}`
    await app.test.asOwner('update users set email = $2 where id = $1', [squatter.userId, address])
    const refused = await ask('POST /Users', userOf('target'))
    expectError(refused, 409, 'uniqueness')
    expect(refused.body.detail).toContain('Invite')
    expect(await roleOf(squatter.userId)).toBeUndefined()
    // Control: with nothing to sign in with, nobody holds it.
    await app.test.asOwner('delete from personal_access_tokens where user_id = $1', [
      squatter.userId,
    ])
    expect((await ask('POST /Users', userOf('target'))).body.id).toBe(squatter.userId)
  })

  it('is there once, whatever the case of the name', async () => {
    expect((await create('ada')).active).toBe(true)
    expectError(await ask('POST /Users', userOf('ada')), 409, 'uniqueness')
    const shouting = userOf('ada', { userName: `ADA@${domain.toUpperCase()}` })
    expectError(await ask('POST /Users', shouting), 409, 'uniqueness')
    const asOwner = userOf('x', { userName: `owner-${count}@example.com` })
    expectError(await ask('POST /Users', asOwner), 409, 'uniqueness')
  })

  it.each([
    ['no name', { userName: undefined }, 'invalidValue'],
    ['no address', { userName: 'ada', emails: [] }, 'invalidValue'],
    ['a number as name', { userName: 7 }, 'invalidValue'],
    ['a word for active', { active: 'perhaps' }, 'invalidValue'],
    [
      'too many addresses',
      { emails: Array.from({ length: 11 }, () => ({ value: 'a@b.c' })) },
      'invalidValue',
    ],
    ['a text that is too long', { displayName: 'x'.repeat(501) }, 'invalidValue'],
  ])('with %s is refused, and nothing is stored', async (_, more, scimType) => {
    await expectNoEvent(app.test, async () =>
      expectError(await ask('POST /Users', userOf('ada', more)), 400, scimType),
    )
    expect((await ask('GET /Users')).body.totalResults).toBe(1)
  })

  it.each(['\u212Aim', '\u0130da'])(
    'has no address that is another one in lower case: %s',
    async (name) => {
      const email = `${name.toLowerCase()}@${domain}`
      await app.test.asOwner('insert into users (id, email, name) values ($1, $2, $1)', [
        `usr_low${name.codePointAt(0)}`,
        email,
      ])
      const address = `${name}@${domain}`
      for (const more of [
        { userName: address, emails: undefined },
        { userName: 'x', emails: [{ value: address, primary: true }] },
      ]) {
        await expectNoEvent(app.test, async () =>
          expectError(await ask('POST /Users', userOf('x', more)), 400, 'invalidValue'),
        )
      }
      expect((await ask('GET /Users')).body.totalResults).toBe(1)
    },
  )

  it('has a name of their own as the database compares names, not as JavaScript does', async () => {
    const [dotted, combined] = ['\u0130da', 'i\u0307da']
    const first = await create('a', { userName: dotted })
    const second = await create('b', { userName: combined })
    expect([first.userName, second.userName]).toEqual([dotted, combined])
    const rename = (userName: string) =>
      ask(`PATCH /Users/${first.id}`, patchOf({ op: 'replace', path: 'userName', value: userName }))
    await expectNoEvent(app.test, async () =>
      expectError(await rename(combined), 409, 'uniqueness'),
    )
    for (const own of ['\u0130DA', 'ida', 'IDA'])
      expect((await rename(own)).body.userName).toBe(own)
  })

  it.each([
    ['no JSON', '{', 'application/scim+json', 400],
    ['a member twice', '{"userName":"a","userName":"b"}', 'application/scim+json', 400],
    ['a form', 'userName=a', 'application/x-www-form-urlencoded', 415],
  ])('as %s is refused', async (_, raw, type, status) => {
    const path = `POST /organizations/${orgId}/scim/v2/Users`
    const answer = await app.call(path, { as: token, raw, headers: { 'content-type': type } })
    expectError(answer, status, status === 400 ? 'invalidSyntax' : undefined)
    expect((await ask('GET /Users')).body.totalResults).toBe(1)
  })
})

describe('who is found', () => {
  it('is every member, also one of whom the directory has said nothing, in pages', async () => {
    await create('ada')
    await create('bob')
    const all = (await ask('GET /Users')).body
    expect(all).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 3 })
    expect(all.Resources[0]).toMatchObject({
      userName: `owner-${count}@example.com`,
      name: { formatted: `owner-${count}` },
      active: true,
    })
    const page = (await ask('GET /Users?startIndex=2&count=1')).body
    expect(page).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 })
    expect(page.Resources[0].userName).toBe(`ada@${domain}`)
    expect((await ask('GET /Users?startIndex=-3&count=0')).body).toMatchObject({
      totalResults: 3,
      startIndex: 1,
      Resources: [],
    })
    expectError(await ask('GET /Users?count=many'), 400, 'invalidValue')
  })

  it('is compared by name, address, id and the id of the directory', async () => {
    const ada = await create('ada', { externalId: 'A-1' })
    await create('bob', { externalId: 'a-1' })
    const find = async (filter: string) =>
      (await ask(`GET /Users?filter=${encodeURIComponent(filter)}`)).body.Resources?.map(
        ({ userName }: { userName: string }) => userName.split('@')[0],
      )
    for (const filter of [
      `userName eq "ADA@${domain}"`,
      `USERNAME EQ "ada@${domain}"`,
      `${userSchema}:userName eq "ada@${domain}"`,
      `externalId eq "A-1"`,
      `id eq "${ada.id}"`,
      `emails.value eq "ada@${domain}"`,
      `emails[type eq "work"].value eq "ada@${domain}"`,
      `id eq "${ada.id}" and userName eq "ada@${domain}"`,
    ]) {
      expect([filter, await find(filter)]).toEqual([filter, ['ada']])
    }
    expect(await find(`id eq "${ada.id}" and externalId eq "a-1"`)).toEqual([])
    expect(await find('userName eq "x\\" or 1=1"')).toEqual([])
  })

  it.each([
    'userName sw "a"',
    'userName eq',
    'userName eq ada',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    'password eq "a"',
    'userName eq true',
    '',
    'userName eq "a" and',
    'userName eq "a',
  ])('is not guessed from the filter %j', async (filter) => {
    const answer = await ask(`GET /Users?filter=${encodeURIComponent(filter)}`)
    expectError(answer, 400, 'invalidFilter')
    expect(answer.body.Resources).toBeUndefined()
  })

  it('is told without what is not asked for', async () => {
    const { id } = await create('ada')
    const some = (await ask(`GET /Users/${id}?attributes=userName,name.givenName`)).body
    expect(Object.keys(some).toSorted()).toEqual(['id', 'name', 'schemas', 'userName'])
    const others = (await ask(`GET /Users/${id}?excludedAttributes=groups,emails`)).body
    expect(Object.keys(others)).not.toContain('emails')
    expect(others.userName).toBe(`ada@${domain}`)
  })

  it('is nobody of another organization, and nobody who was deleted', async () => {
    const { id } = await create('ada')
    const stranger = await app.addPerson(`stranger-${count}`)
    for (const unknown of [stranger.userId, 'usr_absent', 'x'.repeat(300)]) {
      expectError(await ask(`GET /Users/${unknown}`), 404)
      expectError(await setActive(unknown, false), 404)
      expectError(await ask(`PUT /Users/${unknown}`, userOf('x')), 404)
      expectError(await ask(`DELETE /Users/${unknown}`), 404)
    }
    expect((await ask(`DELETE /Users/${id}`)).status).toBe(204)
    expectError(await ask(`GET /Users/${id}`), 404)
    expect((await ask('GET /Users')).body.totalResults).toBe(1)
  })
})

describe('who is deprovisioned', () => {
  it.each([
    ['Entra ID sends', [{ op: 'Replace', path: 'active', value: 'False' }]],
    ['Entra ID sends without a path', [{ op: 'replace', value: { active: false } }]],
    ['Okta sends', [{ op: 'replace', value: { active: false } }]],
  ])('loses the membership by what %s', async (_, operations) => {
    const { id } = await create('ada')
    const answer = await ask(`PATCH /Users/${id}`, patchOf(...operations))
    expect([answer.status, answer.body.active, await roleOf(id)]).toEqual([200, false, undefined])
    expect((await ask(`GET /Users/${id}`)).body.active).toBe(false)
  })

  it('loses sessions, personal tokens, agent tokens and invitations, with one event that counts them', async () => {
    const { id } = await create('ada')
    await app.test.asOwner(`update members set role = 'admin' where user_id = $1`, [id])
    const browser = await app.openBrowser(id)
    const agent = await app.ok(`POST /organizations/${orgId}/agent-tokens`, {
      headers: browser,
      body: { name: 'claude' },
    })
    const pat = await app.ok('POST /me/tokens', {
      headers: browser,
      body: { name: 'mine', manages: true },
    })
    const key = await app.ok(`POST /organizations/${orgId}/api-keys`, {
      as: pat.body.secret,
      body: { name: 'made', kind: 'm2m' },
    })
    // One that Ada sent, and one to her own address, by which she would come back.
    for (const [email, inviter] of [
      ['guest@example.org', id],
      [`ada@${domain}`, owner.userId],
    ]) {
      await app.test.asOwner(
        `insert into invitations (org_id, id, email, role, token_hash, invited_by, created_at, expires_at)
         values ($1, 'inv_' || $2, $2, 'viewer', sha256($2::bytea), $3, now(), now() + interval '1 day')`,
        [orgId, email, JSON.stringify({ type: 'user', id: inviter, name: 'Somebody' })],
      )
    }
    const raw = new URLSearchParams({ client_id: cliClientId, device_name: 'laptop' }).toString()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const device = await app.ok('POST /oauth/device_authorization', { raw, headers: form })
    for (const verb of ['claim', 'approve']) {
      const body = { userCode: device.body.user_code }
      await app.ok(`POST /device/${verb}`, { headers: browser, body })
    }
    const event = await expectOneEvent(app.test, 'member.deprovisioned', () => setActive(id, false))
    expect(event.detail).toMatchObject({
      role: 'admin',
      made: expect.any(Number),
      sessionsEnded: 1,
      tokensEnded: 1,
    })
    expect(event.detail['made']).toBeGreaterThan(0)
    expect((await app.call('GET /me', { headers: browser })).status).toBe(401)
    expect((await app.call('GET /me', { as: pat.body.secret })).body.code).toBe(
      'revoked_credentials',
    )
    expect(
      (await app.call(`GET /organizations/${orgId}`, { as: agent.body.secret })).body.code,
    ).toBe('invalid_credentials')
    expect(await app.test.asOwner('select 1 from invitations where org_id = $1', [orgId])).toEqual(
      [],
    )
    const waiting = await app.call('POST /oauth/token', {
      body: {
        grant_type: deviceGrantType,
        client_id: cliClientId,
        device_code: device.body.device_code,
      },
    })
    expect([waiting.status, waiting.body.error]).toEqual([400, 'access_denied'])
    // The keys that they made go on, and an admin sees them.
    expect((await app.call(`GET /organizations/${orgId}`, { as: key.body.secret })).status).toBe(
      200,
    )
    const made = await app.ok(`GET /organizations/${orgId}/members/${id}/made`, { as: owner.token })
    expect(made.body.items).toContainEqual(
      expect.objectContaining({ kind: 'api_key', id: key.body.id, did: 'created' }),
    )
  })

  it('keeps sessions and tokens where the address is of no domain that the organization has verified', async () => {
    const elsewhere = await app.addOrganization('Elsewhere')
    const guest = await app.addPerson(`guest-${count}`, {
      [orgId]: 'developer',
      [elsewhere]: 'viewer',
    })
    const browser = await app.openBrowser(guest.userId)
    await expectOneEvent(app.test, 'member.deprovisioned', () => setActive(guest.userId, false))
    for (const credential of [{ as: guest.token }, { headers: browser }]) {
      expect((await app.call(`GET /organizations/${orgId}`, credential)).status).toBe(404)
      expect((await app.call(`GET /organizations/${elsewhere}`, credential)).status).toBe(200)
    }
  })

  it('keeps what they are elsewhere, whatever the domain', async () => {
    const elsewhere = await app.addOrganization('Elsewhere')
    const { id } = await create('ada')
    await app.test.asOwner(`insert into members (org_id, user_id, role) values ($1, $2, 'owner')`, [
      elsewhere,
      id,
    ])
    await ask(`DELETE /Users/${id}`)
    expect([await roleOf(id), await roleOf(id, elsewhere)]).toEqual([undefined, 'owner'])
  })

  it('is never the last owner', async () => {
    for (const act of [
      () => setActive(owner.userId, false),
      () => ask(`DELETE /Users/${owner.userId}`),
      () => ask(`PUT /Users/${owner.userId}`, userOf('x', { active: false })),
    ]) {
      await expectNoEvent(app.test, async () => expectError(await act(), 409))
      expect(await roleOf(owner.userId)).toBe('owner')
    }
    await app.addPerson(`second-${count}`, { [orgId]: 'owner' })
    expect((await setActive(owner.userId, false)).status).toBe(200)
  })

  it('comes back as a viewer, also after a deletion, and into the groups of the directory alone', async () => {
    const { id } = await create('ada')
    const group = (await ask('POST /Groups', { displayName: 'devs', members: [{ value: id }] }))
      .body
    await app.test.asOwner(`update members set role = 'owner' where user_id = $1`, [id])
    await setActive(id, false)
    expect((await ask(`GET /Groups/${group.id}`)).body.members).toHaveLength(1)
    expect(await membersOf(group.id)).toEqual([])
    expect((await setActive(id, true)).body.active).toBe(true)
    expect([await roleOf(id), await membersOf(group.id)]).toEqual(['viewer', [id]])
    await ask(`DELETE /Users/${id}`)
    // The account has a way in by now, and the directory had it before.
    await app.setPassword(id)
    expect((await ask('POST /Users', userOf('ada'))).body.id).toBe(id)
    expect([await roleOf(id), await membersOf(group.id)]).toEqual(['viewer', []])
  })

  it('comes back by the directory only with an address of a verified domain', async () => {
    const guest = await app.addPerson(`guest-${count}`, { [orgId]: 'developer' })
    await setActive(guest.userId, false)
    expectError(await setActive(guest.userId, true), 403)
    expect(await roleOf(guest.userId)).toBeUndefined()
  })
})

const membersOf = async (groupId: string) =>
  (
    await app.test.asOwner<{ user_id: string }>(
      'select user_id from group_members where group_id = $1 order by 1',
      [groupId],
    )
  ).map(({ user_id }) => user_id)

describe('what a directory says of a person', () => {
  it('is replaced, and changes neither the name nor the address of the account', async () => {
    const { id } = await create('ada')
    const renamed = userOf('ada', {
      userName: `countess@${domain}`,
      displayName: 'Countess',
      emails: [{ value: 'countess@elsewhere.example', primary: true }],
    })
    const answer = await ask(`PUT /Users/${id}`, renamed)
    expect(answer.body).toMatchObject({ userName: `countess@${domain}`, displayName: 'Countess' })
    expect(await app.test.asOwner('select email, name from users where id = $1', [id])).toEqual([
      { email: `ada@${domain}`, name: 'ada Lovelace' },
    ])
    await create('bob')
    const taken = userOf('ada', { userName: `BOB@${domain}` })
    expectError(await ask(`PUT /Users/${id}`, taken), 409, 'uniqueness')
  })

  it.each([
    [[{ op: 'remove' }], 'noTarget'],
    [[{ op: 'move', path: 'active' }], 'invalidValue'],
    [[{ op: 'replace', path: 'name..x', value: 1 }], 'invalidPath'],
    [[{ op: 'replace', path: 'emails[type', value: 1 }], 'invalidPath'],
    [[{ op: 'replace', path: 'emails[type ne "work"].value', value: 'x' }], 'invalidFilter'],
    [[{ op: 'replace', path: 'emails.value', value: 'x' }], 'invalidPath'],
    [[{ op: 'replace', value: 'x' }], 'invalidValue'],
    [[{ op: 'remove', path: 'userName' }], 'invalidValue'],
    [[{ op: 'replace', path: 'active', value: 'maybe' }], 'invalidValue'],
    [[{ op: 'replace', path: '__proto__.active', value: false }], 'invalidPath'],
    [[], 'invalidValue'],
  ])('is not changed by %j', async (operations, scimType) => {
    const before = await create('ada')
    await expectNoEvent(app.test, async () =>
      expectError(await ask(`PATCH /Users/${before.id}`, patchOf(...operations)), 400, scimType),
    )
    expect((await ask(`GET /Users/${before.id}`)).body).toEqual(before)
  })
})
