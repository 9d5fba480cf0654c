import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, type Egress } from '../../../egress/create-egress.ts'
import type { OidcProvider } from '../oidc-provider.ts'
import { deleteProviderSessions, deleteSignInProvider, lockSignInProvider } from './rows.ts'
import {
  cookieOf,
  openIdentityApp,
  type Answer,
  type IdentityApp,
} from '../../testing/open-identity-app.ts'
import {
  oidcClient,
  openOidcProvider,
  type Account,
  type TestOidcProvider,
} from '../../testing/open-oidc-provider.ts'

/** Stands for the provider of the settings, which is asked for nothing here. */
const ofSettings: OidcProvider = {
  name: 'Server',
  authorizeUrl: () => Promise.reject(new Error('It is not asked')),
  identify: () => Promise.reject(new Error('It is not asked')),
}

const publicUrl = 'http://127.0.0.1:4400'

let app: IdentityApp
let egress: Egress
let orgId: string
let owner: Awaited<ReturnType<IdentityApp['addPerson']>>
let provider: TestOidcProvider
/** Passes what comes in on to the application, as a server in front of it does. */
let front: Server
let logouts: string[] = []
let count = 0
const domain = 'acme.com'

beforeAll(async () => {
  egress = createEgress({ allow: ['127.0.0.1'] })
  app = await openIdentityApp({ memberEgress: egress, oidcProvider: ofSettings })
  orgId = await app.addOrganization('Acme')
  owner = await app.addPerson('owner', { [orgId]: 'owner' })
  await verifyDomain(orgId, 'acme.com')
  front = createServer((request, response) => {
    void (async () => {
      let raw = ''
      for await (const chunk of request) raw += String(chunk)
      logouts.push(new URLSearchParams(raw).get('logout_token') ?? '')
      const answer = await logOut(raw)
      response.writeHead(answer.status).end(answer.text)
    })()
  })
  await new Promise<void>((resolve) => {
    front.listen(0, '127.0.0.1', resolve)
  })
  const { port } = front.address() as AddressInfo
  provider = await openOidcProvider(callbackOf(orgId), `http://127.0.0.1:${port}/logout`)
  await addProvider()
})
afterAll(async () => {
  front.close()
  await app.close()
  await egress.close()
  await provider.close()
})
beforeEach(() => {
  count += 1
  logouts = []
})

const callbackOf = (org: string) => `${publicUrl}/sign-in/oidc/callback/${org}`
const path = () => `/organizations/${orgId}/sign-in-providers`
const logOut = (raw: string, org = orgId) =>
  app.call(`POST /sign-in/oidc/logout/${org}`, {
    raw,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const verifyDomain = (org: string, name: string) =>
  app.test.asOwner(
    `insert into email_domains (org_id, domain, challenge, created_at, created_by, verified_at)
     values ($1, $2, 'x', now(), '{"type":"system","id":null,"name":"Test"}', now())`,
    [org, name],
  )
const addProvider = (more: object = {}, as = owner.token) =>
  app.call(`POST ${path()}`, {
    as,
    body: { name: 'Okta', issuer: provider.issuer, ...oidcClient, ...more },
  })
const accountOf = (name: string, more: object = {}): Account => ({
  sub: `${name}-${count}`,
  email: `${name}-${count}@${domain}`,
  email_verified: true,
  name,
  ...more,
})
/** Adds a member with the address of an account. */
async function addMember({ email }: Account) {
  const person = await app.addPerson(`member-${count}`, { [orgId]: 'developer' })
  await app.test.asOwner('update users set email = $2 where id = $1', [person.userId, email])
  return person
}
const begin = (email: string) => app.call('POST /sign-in/provider', { body: { email } })

/** The way of a browser to the provider. Returns its way back. */
async function visit(account: Account | undefined): Promise<() => Promise<Answer>> {
  provider.account = account
  const begun = await begin(`x@${domain}`)
  expect(begun.status).toBe(200)
  const back = await provider.openBrowser().visit(begun.body.url, callbackOf(orgId))
  const headers = { cookie: cookieOf(begun) }
  return () => app.call(`GET ${back.pathname}${back.search}`, { headers })
}
const signIn = async (account: Account | undefined) => (await visit(account))()
const rejectionOf = (answer: Answer) =>
  new URL(answer.headers.get('location') ?? '', publicUrl).searchParams.get('error')
const whoIs = async (answer: Answer) =>
  (await app.call('GET /me', { headers: { cookie: cookieOf(answer) } })).body.id

describe('the provider of an organization', () => {
  it('is shown without its secret, which is stored sealed', async () => {
    const { items } = (await app.ok(`GET ${path()}`, { as: owner.token })).body
    expect(items).toMatchObject([
      {
        name: 'Okta',
        groupsClaim: 'groups',
        callbackUrl: callbackOf(orgId),
        logoutUrl: `${publicUrl}/sign-in/oidc/logout/${orgId}`,
      },
    ])
    const rows = await app.test.asOwner<{ sealed: Buffer }>(
      'select sealed_secret as sealed from sign_in_providers',
    )
    expect(JSON.stringify(items)).not.toContain(oidcClient.clientSecret)
    expect(rows[0]?.sealed.includes(oidcClient.clientSecret)).toBe(false)
    expect((await app.call('GET /sign-in/options')).body).toMatchObject({ byEmail: true })
  })

  it('is added by owners who have verified a domain, with an issuer that may be called', async () => {
    const admin = await app.addPerson(`admin-${count}`, { [orgId]: 'admin' })
    expect((await addProvider({}, admin.token)).body.code).toBe('role_forbidden')
    for (const issuer of ['https://10.0.0.1', 'http://example.com', 'https://169.254.169.254/x']) {
      const { status, body } = await addProvider({ issuer })
      expect([issuer, status, body.errors[0].pointer]).toEqual([issuer, 422, '/issuer'])
    }
    const other = await app.addOrganization('Other')
    const rival = await app.addPerson(`rival-${count}`, { [other]: 'owner' })
    const refused = await app.call(`POST /organizations/${other}/sign-in-providers`, {
      as: rival.token,
      body: { name: 'x', issuer: provider.issuer, ...oidcClient },
    })
    expect(refused.body.code).toBe('domain_unverified')
  })

  it('is found by the domain of an address, whether or not the address has an account', async () => {
    const account = accountOf('ada')
    await addMember(account)
    for (const email of [account.email ?? '', `nobody@${domain}`]) {
      const { status, body } = await begin(email)
      expect([status, body.name, new URL(body.url).origin]).toEqual([200, 'Okta', provider.issuer])
    }
    for (const email of ['ada@example.com', `ada@sub.${domain}`]) {
      expect((await begin(email)).body.code).toBe('provider_not_set_up')
    }
  })
})

describe('somebody who comes back from the provider of an organization', () => {
  it('is signed in as the member with the verified address, and later by the subject alone', async () => {
    const account = accountOf('ada')
    const { userId } = await addMember(account)
    const first = await signIn(account)
    expect([first.headers.get('location'), await whoIs(first)]).toEqual(['/', userId])
    const renamed = { ...account, email: `renamed-${count}@${domain}` }
    expect(await whoIs(await signIn(renamed))).toBe(userId)
  })

  it.each([
    ['is of another domain', { email: 'eve@example.com' }, 'domain_unverified'],
    ['is not verified', { email_verified: false }, 'email_unverified'],
    ['is missing', { email: null }, 'email_unverified'],
    ['has no account', {}, 'no_account'],
  ])('is refused where the address %s', async (_, more, reason) => {
    const eve = await app.addPerson(`victim-${count}`, { [orgId]: 'owner' })
    if (reason !== 'no_account') {
      await app.test.asOwner('delete from users where email = $1', ['eve@example.com'])
      await app.test.asOwner('update users set email = $2 where id = $1', [
        eve.userId,
        reason === 'domain_unverified' ? 'eve@example.com' : `eve-${count}@${domain}`,
      ])
    }
    const answer = await signIn(accountOf('eve', more))
    expect(rejectionOf(answer)).toBe(reason)
    expect((await app.call('GET /me', { headers: { cookie: cookieOf(answer) } })).status).toBe(401)
    expect(
      await app.test.asOwner('select from provider_identities where user_id = $1', [eve.userId]),
    ).toEqual([])
  })

  it.each([
    ['a Kelvin sign in the name', '\u212Aim'],
    ['a dotted İ in the name', '\u0130da'],
    ['a Kelvin sign in the domain', 'sam'],
  ])('is nobody whose address has %s only in lower case', async (_, name) => {
    await app.test.asOwner(`delete from email_domains where domain = 'kiwi.com'`)
    await verifyDomain(orgId, 'kiwi.com')
    const at = name === 'sam' ? '\u212Aiwi.com' : 'kiwi.com'
    const email = `${name}-${count}@${at}`
    const victim = await addMember({ sub: '', email: email.toLowerCase() })
    expect(rejectionOf(await signIn(accountOf('eve', { email })))).toBe('email_unverified')
    expect((await begin(email)).body.errors).toMatchObject([{ pointer: '/email' }])
    // Control: the person with the address signs in.
    const own = { email: `${name}-${count}@${at}`.normalize('NFKC').replace('\u0130', 'i') }
    await app.test.asOwner('update users set email = $2 where id = $1', [
      victim.userId,
      own.email.toLowerCase(),
    ])
    expect(await whoIs(await signIn(accountOf('kim', own)))).toBe(victim.userId)
  })

  it('does not replace a password with a second factor, and does sign in without one', async () => {
    const account = accountOf('kim')
    const { userId } = await addMember(account)
    const setPassword = (hash: string | null) =>
      app.test.asOwner('update users set password_hash = $2 where id = $1', [userId, hash])
    await setPassword('scrypt$10$8$1$x$x')
    await app.test.asOwner(
      `insert into second_factors (user_id, sealed, created_at, confirmed_at) values ($1, '', now(), now())`,
      [userId],
    )
    expect(rejectionOf(await signIn(account))).toBe('second_factor_kept')
    await app.test.asOwner('delete from second_factors where user_id = $1', [userId])
    expect(await whoIs(await signIn(account))).toBe(userId)
  })

  it('empties the groups of the sign-in when one is added, which another one had filled', async () => {
    const { userId } = await addMember(accountOf('max'))
    const groups = `/organizations/${orgId}/groups`
    const body = { name: `Admins ${count}`, source: 'oidc' }
    const { id } = (await app.ok(`POST ${groups}`, { as: owner.token, body })).body
    await app.test.asOwner(
      'insert into group_members (org_id, group_id, user_id) values ($1, $2, $3)',
      [orgId, id, userId],
    )
    const listIds = async () =>
      (await app.ok(`GET ${groups}/${id}/members`, { as: owner.token })).body.items.length
    expect(await listIds()).toBe(1)
    const second = (await addProvider({ name: 'Second' })).body
    expect(await listIds()).toBe(0)
    await app.ok(`DELETE ${path()}/${second.id}`, { as: owner.token })
  })

  it('does not share an account that another person registered with the address', async () => {
    const account = accountOf('ada')
    const squatter = await app.addPerson(`squatter-${count}`)
    await app.test.asOwner('update users set email = $2 where id = $1', [
      squatter.userId,
      account.email,
    ])
    expect(rejectionOf(await signIn(account))).toBe('invitation_required')
  })

  it('claims the account that a directory added', async () => {
    const account = accountOf('ada')
    await app.test.asOwner('insert into users (id, email, name) values ($1, $2, $1)', [
      `usr_added${count}`,
      account.email,
    ])
    expect(await whoIs(await signIn(account))).toBe(`usr_added${count}`)
  })

  it('is refused once the organization has lost the domain, also who was linked before', async () => {
    const account = accountOf('ada')
    await addMember(account)
    expect(rejectionOf(await signIn(account))).toBeNull()
    const comeBack = await visit(account)
    await app.test.asOwner('update email_domains set verified_at = null where org_id = $1', [orgId])
    expect(rejectionOf(await comeBack())).toBe('domain_unverified')
    expect((await begin(`x@${domain}`)).body.code).toBe('provider_not_set_up')
    await app.test.asOwner('update email_domains set verified_at = now() where org_id = $1', [
      orgId,
    ])
  })

  it('comes to the callback of this organization, and its code goes to no other provider', async () => {
    const account = accountOf('ada')
    await addMember(account)
    const begun = await begin(`x@${domain}`)
    provider.account = account
    const back = await provider.openBrowser().visit(begun.body.url, callbackOf(orgId))
    const headers = { cookie: cookieOf(begun) }
    for (const wrong of ['/sign-in/oidc/callback', '/sign-in/oidc/callback/org_other']) {
      const answer = await app.call(`GET ${wrong}${back.search}`, { headers })
      expect(rejectionOf(answer)).toBe('state_invalid')
    }
    const answer = await app.call(`GET ${back.pathname}${back.search}`, { headers })
    expect(rejectionOf(answer)).toBeNull()
  })

  it('comes into the groups that the claim names, in this organization alone', async () => {
    const account = accountOf('ada', { groups: ['Developers', 'Unknown'] })
    const { userId } = await addMember(account)
    const elsewhere = await app.addOrganization('Elsewhere')
    await app.test.asOwner(
      `insert into members (org_id, user_id, role) values ($1, $2, 'viewer')`,
      [elsewhere, userId],
    )
    for (const [org, id] of [
      [orgId, `grp_a${count}`],
      [elsewhere, `grp_b${count}`],
    ]) {
      await app.test.asOwner(
        `insert into member_groups (org_id, id, name, source, created_at, created_by)
         values ($1, $2, 'Developers', 'oidc', now(), '{}') on conflict do nothing`,
        [org, id],
      )
    }
    const orgsOf = async () =>
      (
        await app.test.asOwner<{ org_id: string }>(
          'select org_id from group_members where user_id = $1',
          [userId],
        )
      ).map(({ org_id }) => org_id)
    await signIn(account)
    expect(await orgsOf()).toEqual([orgId])
    await signIn({ ...account, groups: [] })
    expect(await orgsOf()).toEqual([])
  })
})

describe('a back-channel logout', () => {
  const sidOf = async (userId: string) => {
    const rows = await app.test.asOwner<{ sid: string }>(
      'select sid from provider_sessions where user_id = $1',
      [userId],
    )
    return rows.map(({ sid }) => sid)
  }
  const isIn = async (answer: Answer) =>
    (await app.call('GET /me', { headers: { cookie: cookieOf(answer) } })).status === 200

  it('ends the session of its sid alone, once', async () => {
    const account = accountOf('ada')
    const { userId } = await addMember(account)
    const [one, two] = [await signIn(account), await signIn(account)]
    const own = await app.openBrowser(userId)
    const [sid = '', other = ''] = await sidOf(userId)
    expect(new Set([sid, other]).size).toBe(2)
    await provider.logOut(account.sub, sid)
    const left = [await isIn(one), await isIn(two)]
    expect(left.filter(Boolean)).toHaveLength(1)
    expect((await app.call('GET /me', { headers: own })).status).toBe(200)
    const [token = ''] = logouts
    expect(decodeJwt(token)).toMatchObject({ sid, events: {} })
    const again = await logOut(`logout_token=${token}`)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_request'])
    expect((await logOut(`logout_token=${token}`, 'org_other')).status).toBe(400)
  })

  it('of a subject ends all sessions that follow from its sign-ins, and obeys no token that is wrong', async () => {
    const keys = await generateKeyPair('RS256')
    const other = await generateKeyPair('RS256')
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
    const server = createServer((request, response) => {
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const isKeys = request.url === '/jwks'
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify(isKeys ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/jwks` }),
      )
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const added = (await addProvider({ issuer, clientId: 'client' })).body
    const person = await addMember(accountOf('ada'))
    const browsers = [await app.openBrowser(person.userId), await app.openBrowser(person.userId)]
    await app.test.asOwner(
      `insert into provider_sessions (token_hash, org_id, provider_id, user_id, subject)
       select token_hash, $1, $2, user_id, 'sub' from sessions where user_id = $3`,
      [orgId, added.id, person.userId],
    )
    const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const now = Math.floor(app.clock.now().getTime() / 1000)
    const right = {
      iss: issuer,
      aud: 'client',
      iat: now,
      jti: `j${count}`,
      sub: 'sub',
      events: event,
    }
    const sign = (claims: object, key = keys.privateKey) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key)
    const wrong = [
      await sign({ ...right, aud: 'another' }),
      await sign({ ...right, iss: provider.issuer }),
      await sign({ ...right, iat: now - 3_600 }),
      await sign({ ...right, iat: now + 3_600 }),
      await sign({ ...right, nonce: 'n' }),
      await sign({ ...right, events: {} }),
      await sign({ ...right, events: undefined }),
      await sign({ ...right, jti: undefined }),
      await sign({ ...right, sub: undefined }),
      await sign(right, other.privateKey),
      'no.token.atall',
      '',
    ]
    for (const token of wrong) {
      const answer = await logOut(`logout_token=${token}`)
      expect([token.length, answer.status, answer.headers.get('cache-control')]).toEqual([
        token.length,
        400,
        'no-store',
      ])
    }
    for (const headers of browsers)
      expect((await app.call('GET /me', { headers })).status).toBe(200)
    expect((await logOut(`logout_token=${await sign(right)}`)).status).toBe(200)
    for (const headers of browsers)
      expect((await app.call('GET /me', { headers })).status).toBe(401)
    await app.ok(`DELETE ${path()}/${added.id}`, { as: owner.token })
    server.close()
  })
})

/** Waits until this many transactions wait for a lock of this database. */
async function waitFor(waiting: number): Promise<void> {
  const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => app.test.asOwner(sql), { timeout: 20_000 }).toHaveLength(waiting)
}

describe('a provider that is removed', () => {
  const findId = async (): Promise<string> =>
    (await app.ok(`GET ${path()}`, { as: owner.token })).body.items[0].id
  const sessionsOf = (userId: string) =>
    app.test.asOwner('select from sessions where user_id = $1', [userId])

  it('ends the session of a sign-in that was on its way before', async () => {
    const account = accountOf('ada')
    const { userId } = await addMember(account)
    await signIn(account)
    const comeBack = await visit(account)
    const id = await findId()
    const { signedIn, removed } = await app.test.store.maintenance(async (tx) => {
      await lockSignInProvider(tx, orgId, id)
      const both = { signedIn: comeBack(), removed: Promise.resolve<unknown>(undefined) }
      await waitFor(1)
      both.removed = app.ok(`DELETE ${path()}/${id}`, { as: owner.token })
      await waitFor(2)
      return both
    })
    expect([rejectionOf(await signedIn), cookieOf(await signedIn)]).toEqual([
      null,
      expect.stringContaining('__Host-s='),
    ])
    await removed
    expect(await sessionsOf(userId)).toEqual([])
    await addProvider()
  })

  it.each([
    ['for the first time', false],
    ['again', true],
  ])('lets nobody in who comes back %s while it is removed', async (_, isKnown) => {
    const account = accountOf('ada')
    const { userId } = await addMember(account)
    if (isKnown) await signIn(account)
    const comeBack = await visit(account)
    const id = await findId()
    const { signedIn } = await app.test.store.maintenance(async (tx) => {
      await lockSignInProvider(tx, orgId, id)
      const answer = { signedIn: comeBack() }
      await waitFor(1)
      await deleteProviderSessions(tx, { orgId, providerId: id, subject: null, sid: null })
      await deleteSignInProvider(tx, orgId, id)
      return answer
    })
    expect(rejectionOf(await signedIn)).toBe('not_set_up')
    expect(await sessionsOf(userId)).toEqual([])
    await addProvider()
  })

  it('ends the sessions that it began, and signs nobody in', async () => {
    const account = accountOf('ada')
    await addMember(account)
    const session = { headers: { cookie: cookieOf(await signIn(account)) } }
    expect((await app.call('GET /me', session)).status).toBe(200)
    const { items } = (await app.ok(`GET ${path()}`, { as: owner.token })).body
    for (const { id } of items) await app.ok(`DELETE ${path()}/${id}`, { as: owner.token })
    expect((await app.call('GET /me', session)).status).toBe(401)
    expect((await begin(`x@${domain}`)).body.code).toBe('provider_not_set_up')
  })
})
