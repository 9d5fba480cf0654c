import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../../audit/testing/expect-audit.ts'
import { codeOfAuthenticator } from '../../testing/authenticator.ts'
import { findMembership } from '../rows.ts'
import {
  anyReads,
  bootstrapToken,
  cookieOf,
  fromOwnPage,
  noPolicies,
  openIdentityApp,
  password,
  type Answer,
  type IdentityApp,
  type IdentityNode,
} from '../../testing/open-identity-app.ts'
import { mountOperatorEndpoints } from '../../testing/operator-endpoints.ts'

type Headers = Readonly<Record<string, string>>

const dayMs = 86_400_000
const minuteMs = 60_000

let app: IdentityApp
/** Another process on the same database. */
let second: IdentityNode
let org: string
let other: string
let owner: Awaited<ReturnType<typeof join>>
let dev: Awaited<ReturnType<typeof join>>
let people = 0

beforeAll(async () => {
  app = await openIdentityApp()
  second = await app.openNode()
})
afterAll(async () => {
  second.feed.close()
  await app.close()
})
beforeEach(async () => {
  org = await app.addOrganization('Acme')
  other = await app.addOrganization('Other')
  owner = await join('owner')
  dev = await join('developer')
})

/** Adds a person with a password to both organizations, and opens a browser for them. */
async function join(role: 'owner' | 'admin' | 'developer') {
  const name = `person-${++people}`
  const person = await app.addPerson(name, { [org]: role, [other]: role })
  await app.setPassword(person.userId)
  const browser: Headers = await app.openBrowser(person.userId)
  return { ...person, name, email: `${name}@example.com`, browser }
}
type Person = Awaited<ReturnType<typeof join>>

const outcome = ({ status, body }: Answer) => body?.code ?? status
const reach = async (headers: Headers, at = org, node: Pick<IdentityNode, 'call'> = app) =>
  outcome(await node.call(`GET /organizations/${at}/members`, { headers }))
const reachBy = async (token: string, at = org, node: Pick<IdentityNode, 'call'> = app) =>
  outcome(await node.call(`GET /organizations/${at}/members`, { as: token }))
const read = async () =>
  (await app.ok(`GET /organizations/${org}/policies`, { as: bootstrapToken })).body
const put = (body: object, headers: Headers = owner.browser) =>
  app.call(`PUT /organizations/${org}/policies`, { body: { ...noPolicies, ...body }, headers })
const confirm = (headers: Headers, code?: string) =>
  app.ok('POST /sessions/current/confirm', { headers, body: { password, code } })
const rejectionOf = async (headers: Headers) => {
  const { organizations } = (await app.ok('GET /me', { headers })).body
  return organizations.find(({ id }: { id: string }) => id === org).rejection?.code ?? null
}

describe('the policies of an organization', () => {
  it('require nothing and let assistants read, where nobody has decided', async () => {
    const { effects, ...policies } = await read()
    expect(policies).toEqual({
      ...noPolicies,
      sessionsValidFrom: null,
      changedAt: null,
      changedBy: null,
      changedWith: null,
    })
    expect(effects).toMatchObject({ longTokens: [], longKeys: [], assistants: [] })
    const rows = 'select from organization_policies where org_id = $1'
    expect(await app.test.asOwner(rows, [org])).toEqual([])
  })

  it('are changed by owners, read by admins, and nobody else', async () => {
    const admin = await join('admin')
    const get = (headers: Headers) =>
      app.call(`GET /organizations/${org}/policies`, { headers }).then(outcome)
    expect([await get(owner.browser), await get(admin.browser)]).toEqual([200, 200])
    expect(await get(dev.browser)).toBe('role_forbidden')
    for (const { browser } of [admin, dev]) {
      expect(outcome(await put({ tokenDays: 30 }, browser))).toBe('role_forbidden')
      const end = app.call(`POST /organizations/${org}/policies/end-sessions`, { headers: browser })
      expect(outcome(await end)).toBe('role_forbidden')
    }
    expect((await read()).tokenDays).toBeNull()
  })

  it('need a recent password, and from a program a token that manages', async () => {
    app.clock.advance(11 * minuteMs)
    expect(outcome(await put({ tokenDays: 30 }))).toBe('step_up_required')
    await app.test.asOwner('update personal_access_tokens set manages = false where id = $1', [
      owner.tokenId,
    ])
    const request = { as: owner.token, body: { ...noPolicies, tokenDays: 30 } }
    const answer = await app.call(`PUT /organizations/${org}/policies`, request)
    expect(outcome(answer)).toBe('session_required')
  })

  it('are recorded from what to what, once', async () => {
    const assistants = { rule: 'listed', hosts: ['claude.ai'], ownTokens: false }
    const change = { tokenDays: 30, sessionIdleMinutes: 15, assistants }
    const event = await expectOneEvent(app.test, 'policies.updated', async () => {
      const { body } = await put(change)
      expect(body).toMatchObject({
        ...change,
        changedBy: { id: owner.userId },
        changedWith: { type: 'session' },
      })
    })
    expect(event).toMatchObject({ org_id: org, target: { id: org, name: 'Acme' } })
    expect(event.detail).toEqual({
      before: {
        tokenDays: null,
        sessionIdleMinutes: null,
        assistantRule: 'read',
        assistantHosts: [],
        ownTokensListed: true,
      },
      after: {
        tokenDays: 30,
        sessionIdleMinutes: 15,
        assistantRule: 'listed',
        assistantHosts: ['claude.ai'],
        ownTokensListed: false,
      },
    })
    await expectNoEvent(app.test, () => put(change))
  })

  it.each([
    ['/tokenDays', { tokenDays: 0 }],
    ['/tokenDays', { tokenDays: 1.5 }],
    ['/sessionIdleMinutes', { sessionIdleMinutes: 4 }],
    ['/sessionIdleMinutes', { sessionIdleMinutes: 721 }],
    ['/secondFactorRequired', { secondFactorRequired: 'yes' }],
    ['/assistants/rule', { assistants: { ...anyReads, rule: 'some' } }],
    ['/assistants/hosts/0', { assistants: { ...anyReads, hosts: ['https://claude.ai'] } }],
    ['/assistants/hosts/1', { assistants: { ...anyReads, hosts: ['claude.ai', 'claude.ai/x'] } }],
    ['/assistants/hosts/0', { assistants: { ...anyReads, hosts: ['claude.ai:443'] } }],
    ['/assistants/hosts/0', { assistants: { ...anyReads, hosts: ['me@claude.ai'] } }],
    ['/assistants/ownTokens', { assistants: { rule: 'any', hosts: [] } }],
    ['/more', { more: true }],
  ])('are refused with the place %s, and nothing is stored', async (pointer, body) => {
    await expectNoEvent(app.test, async () => {
      const answer = await put(body)
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].pointer).toBe(pointer)
    })
    expect((await read()).changedAt).toBeNull()
  })
})

describe('a required second factor', () => {
  /** Turns it on by an owner who has one. */
  const require = async () => {
    await app.addSecondFactor(owner.userId)
    expect((await put({ secondFactorRequired: true })).status).toBe(200)
  }

  it('is not turned on by an owner without one, who is told where to turn theirs on', async () => {
    await expectNoEvent(app.test, async () => {
      const { status, body } = await put({ secondFactorRequired: true })
      expect([status, body.code]).toEqual([403, 'second_factor_off'])
      expect(body.errors[0].pointer).toBe('/secondFactorRequired')
      expect(body.detail).toContain('under Your account')
    })
    const request = { as: bootstrapToken, body: { ...noPolicies, secondFactorRequired: true } }
    const answer = await app.call(`PUT /organizations/${org}/policies`, request)
    expect(outcome(answer)).toBe('second_factor_off')
    expect(await reach(dev.browser)).toBe(200)
  })

  it('names whom it locks out before it is turned on, and a dry run changes nothing', async () => {
    const names = async (answer: Promise<Answer>) =>
      (await answer).body.effects.withoutSecondFactor.map(({ name }: { name: string }) => name)
    const before = app.ok(`GET /organizations/${org}/policies`, { headers: owner.browser })
    expect(await names(before)).toEqual([owner.name, dev.name])
    await app.addSecondFactor(owner.userId)
    await expectNoEvent(app.test, async () => {
      expect(await names(put({ secondFactorRequired: true, dryRun: true }))).toEqual([dev.name])
    })
    expect([await reach(dev.browser), (await read()).secondFactorRequired]).toEqual([200, false])
  })

  it('keeps sessions, personal tokens and agent tokens of a person without one out, on each node from the next request', async () => {
    expect([await reach(dev.browser), await reachBy(dev.token)]).toEqual([200, 200])
    await require()
    for (const node of [app, second]) {
      expect(await reach(dev.browser, org, node)).toBe('second_factor_off')
      expect(await reachBy(dev.token, org, node)).toBe('second_factor_off')
      for (const request of ['GET', 'GET /api-keys', 'GET /agent-tokens', 'DELETE /members/me']) {
        const [method = '', path = ''] = request.split(' ')
        const answer = await node.call(`${method} /organizations/${org}${path}`, {
          headers: dev.browser,
        })
        expect([request, outcome(answer)]).toEqual([request, 'second_factor_off'])
      }
    }
    const { secret } = await app.addKey(org)
    expect(outcome(await app.call(`GET /organizations/${org}`, { as: secret }))).toBe(200)
    expect([await reach(dev.browser, other), await reach(owner.browser)]).toEqual([200, 200])
  })

  it('lets in who has turned one on, with the session and the token that they had', async () => {
    await require()
    expect(await rejectionOf(dev.browser)).toBe('second_factor_off')
    const begun = await app.ok('POST /me/second-factor', { headers: dev.browser })
    const code = codeOfAuthenticator(begun.body.secret, app.clock.now())
    const confirmed = await app.ok('POST /me/second-factor/confirm', {
      headers: dev.browser,
      body: { code },
    })
    const browser = fromOwnPage(cookieOf(confirmed))
    expect([await reach(browser), await reachBy(dev.token)]).toEqual([200, 200])
    expect(await rejectionOf(browser)).toBeNull()
    await app.ok('DELETE /me/second-factor', { headers: browser })
    expect([await reach(browser), await reachBy(dev.token)]).toEqual(
      Array(2).fill('second_factor_off'),
    )
  })

  it('is that of the OpenID provider for an account without a password, and for no other', async () => {
    await require()
    await app.test.asOwner(
      `insert into oidc_identities (issuer, subject, user_id, created_at) values ('https://idp.example', $1, $1, now())`,
      [dev.userId],
    )
    expect(await reach(dev.browser)).toBe('second_factor_off')
    await app.test.asOwner('update users set password_hash = null where id = $1', [dev.userId])
    expect(await reach(dev.browser)).toBe(200)
  })

  it('is that of the organization’s own provider, and not that of another organization', async () => {
    await require()
    const elsewhere = await app.addOrganization('Elsewhere')
    const link = async (orgId: string) => {
      await app.test.asOwner(
        `with provider as (
           insert into sign_in_providers (org_id, id, name, issuer, client_id, sealed_secret, groups_claim, created_at, created_by)
           values ($1, 'idp_1', 'p', 'https://id.example', 'c', '', 'groups', now(), '{}'))
         insert into provider_identities (org_id, provider_id, subject, user_id, created_at) values ($1, 'idp_1', 's', $2, now())`,
        [orgId, dev.userId],
      )
    }
    await app.test.asOwner('update users set password_hash = null where id = $1', [dev.userId])
    await link(elsewhere)
    await app.test.asOwner(
      `insert into second_factors (user_id, sealed, created_at, confirmed_at) values ($1, '', now(), now())`,
      [dev.userId],
    )
    expect(await reach(dev.browser)).toBe('second_factor_off')
    await link(org)
    expect(await reach(dev.browser)).toBe(200)
  })

  it('control: a node that resolves organizations without policies lets everybody in', async () => {
    await require()
    const careless = await app.openNode({
      resolveOrganization: async (actor, ref) => {
        if (actor.type !== 'user') return undefined
        const { userId } = actor
        const found = await app.test.store.transaction({ orgId: null, userId }, (tx) =>
          findMembership(tx, userId, ref),
        )
        return found && { organization: found, role: found.role }
      },
    })
    expect(await reach(dev.browser, org, careless)).toBe(200)
    careless.feed.close()
  })
})

describe('the longest life of tokens', () => {
  const createToken = async (days: number | null | undefined) => {
    const expiresAt =
      typeof days === 'number'
        ? new Date(app.clock.now().getTime() + days * dayMs).toISOString()
        : days
    const request = { headers: dev.browser, body: { name: 'laptop', expiresAt } }
    return (await app.ok('POST /me/tokens', request)).body
  }

  it('keeps a personal token out that works for longer, and only there', async () => {
    const [short, long, endless] = [
      await createToken(30),
      await createToken(31),
      await createToken(null),
    ]
    for (const { secret } of [short, long, endless]) expect(await reachBy(secret)).toBe(200)
    const { body } = await put({ tokenDays: 30, dryRun: true })
    expect(body.effects.longTokens).toContainEqual({
      userId: dev.userId,
      name: dev.name,
      // Those of the tests never end.
      tokens: 3,
    })
    await put({ tokenDays: 30 })
    for (const node of [app, second]) {
      expect(await reachBy(short.secret, org, node)).toBe(200)
      expect(await reachBy(long.secret, org, node)).toBe('token_life_forbidden')
      expect(await reachBy(endless.secret, org, node)).toBe('token_life_forbidden')
    }
    expect([await reachBy(long.secret, other), await reach(dev.browser)]).toEqual([200, 200])
    // Its life counts, not what is left of it.
    app.clock.advance(20 * dayMs)
    expect(await reachBy(long.secret)).toBe('token_life_forbidden')
  })

  it('is the life of a token that names no end, so that a sign-in of the command line reaches every organization', async () => {
    await put({ tokenDays: 7 })
    const { secret, createdAt, expiresAt } = await createToken(undefined)
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * dayMs)
    expect(await reachBy(secret)).toBe(200)
    const { organizations } = (await app.ok('GET /me', { headers: dev.browser })).body
    expect(
      organizations.map(({ id, tokenDays }: { id: string; tokenDays: number | null }) => [
        id === org,
        tokenDays,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [true, 7],
        [false, null],
      ]),
    )
  })

  it('bounds the keys that are made or changed, and lists those that are there and go on', async () => {
    const endless = await app.addKey(org, { name: 'endless', expiresAt: null })
    await put({ tokenDays: 30 })
    const keys = `/organizations/${org}/api-keys`
    const admin = { headers: owner.browser }
    const inDays = (days: number) =>
      new Date(app.clock.now().getTime() + days * dayMs).toISOString()
    const body = { name: 'web', kind: 'm2m' }
    for (const expiresAt of [null, inDays(31)]) {
      const answer = await app.call(`POST ${keys}`, { ...admin, body: { ...body, expiresAt } })
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/expiresAt'])
    }
    const { body: made } = await app.ok(`POST ${keys}`, { ...admin, body })
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(30 * dayMs)
    const change = (id: string, fields: object) =>
      app.call(`PATCH ${keys}/${id}`, { ...admin, body: fields })
    expect((await change(made.id, { expiresAt: inDays(31) })).status).toBe(422)
    expect((await change(made.id, { expiresAt: inDays(29) })).status).toBe(200)
    expect((await change(endless.id, { name: 'old' })).status).toBe(200)
    expect(outcome(await app.call(`GET /organizations/${org}`, { as: endless.secret }))).toBe(200)
    expect((await read()).effects.longKeys).toEqual([
      { id: endless.id, name: 'old', expiresAt: null },
    ])
  })

  it('bounds agent tokens', async () => {
    await put({ tokenDays: 3 })
    const make = (body: object) =>
      app.call(`POST /organizations/${org}/agent-tokens`, {
        headers: dev.browser,
        body: { name: 'claude', ...body },
      })
    const { body: made } = await make({})
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(3 * dayMs)
    const expiresAt = new Date(app.clock.now().getTime() + 4 * dayMs).toISOString()
    expect((await make({ expiresAt })).body.errors[0].pointer).toBe('/expiresAt')
    await put({ tokenDays: 2 })
    expect((await read()).effects.assistants).toMatchObject([{ id: made.id, scope: null }])
  })
})

describe('the longest idle session', () => {
  const rest = (minutes: number) => app.clock.advance(minutes * minuteMs)

  it('is asked for the password again, whatever it asked in between, and only there', async () => {
    await put({ sessionIdleMinutes: 15 })
    rest(14)
    expect(await reach(dev.browser)).toBe(200)
    rest(14)
    expect(await reach(dev.browser)).toBe(200)
    rest(16)
    // Reading who one is does not wake it up.
    expect(await rejectionOf(dev.browser)).toBe('step_up_required')
    for (const node of [app, second, app])
      expect(await reach(dev.browser, org, node)).toBe('step_up_required')
    expect([await reach(dev.browser, other), await reachBy(dev.token)]).toEqual([200, 200])
    await confirm(dev.browser)
    expect([await reach(dev.browser), await rejectionOf(dev.browser)]).toEqual([200, null])
  })

  it('reaches it again after a sign-in, and sessions that were idle before the policy are asked as well', async () => {
    rest(60)
    expect(await reach(dev.browser)).toBe(200)
    await confirm(owner.browser)
    await put({ sessionIdleMinutes: 30 })
    expect(await reach(dev.browser)).toBe('step_up_required')
    const { email } = dev
    const signedIn = await app.ok('POST /sessions', { body: { email, password } })
    expect(await reach(fromOwnPage(cookieOf(signedIn)))).toBe(200)
  })
})

describe('ending all sessions', () => {
  const end = (headers: Headers = owner.browser) =>
    app.call(`POST /organizations/${org}/policies/end-sessions`, { headers })

  it('asks each session of each member for the password, on each node, and no token or other organization', async () => {
    const event = await expectOneEvent(app.test, 'policies.sessions_ended', async () => {
      app.clock.advance(1)
      expect((await end()).status).toBe(204)
    })
    expect(event.detail).toMatchObject({ before: { sessionsValidFrom: null } })
    for (const node of [app, second])
      for (const { browser } of [owner, dev])
        expect(await reach(browser, org, node)).toBe('step_up_required')
    expect([await reach(dev.browser, other), await reachBy(dev.token)]).toEqual([200, 200])
  })

  it('lets the owner go on who confirms, and ends nothing twice', async () => {
    app.clock.advance(1)
    await end()
    await confirm(owner.browser)
    expect([await reach(owner.browser), await reach(dev.browser)]).toEqual([
      200,
      'step_up_required',
    ])
    await confirm(dev.browser)
    expect((await put({ tokenDays: 300 })).status).toBe(200)
    expect(await reach(dev.browser)).toBe(200)
  })

  it('needs a recent password', async () => {
    app.clock.advance(11 * minuteMs)
    expect(outcome(await end())).toBe('step_up_required')
    expect((await read()).sessionsValidFrom).toBeNull()
  })
})

describe('an operator of the server', () => {
  let node: IdentityNode
  const operate = async (headers: Headers) => [
    outcome(await node.call('PUT /server', { headers })),
    outcome(await node.call('POST /organizations', { headers, body: { name: 'New' } })),
  ]
  beforeAll(async () => {
    node = await app.openNode({ onlyOperatorsCreate: true, mount: mountOperatorEndpoints })
  })
  beforeEach(() =>
    app.test.asOwner(
      `insert into setup (token_hash, first_org_id) values ('', $1)
        on conflict (singleton) do update set first_org_id = excluded.first_org_id`,
      [org],
    ),
  )
  afterAll(async () => {
    node.feed.close()
    await app.test.asOwner('delete from setup')
  })

  it('is kept out of the server by the policies of its first organization, as out of that organization', async () => {
    expect(await operate(owner.browser)).toEqual([204, 201])
    const token = { authorization: `Bearer ${owner.token}` }
    expect(await operate(token)).toEqual([204, 201])
    await put({ tokenDays: 1 })
    expect(await operate(token)).toEqual(['token_life_forbidden', 'token_life_forbidden'])
    app.clock.advance(1)
    await app.ok(`POST /organizations/${org}/policies/end-sessions`, { headers: owner.browser })
    expect(await operate(owner.browser)).toEqual(['step_up_required', 'step_up_required'])
    await confirm(owner.browser)
    expect(await operate(owner.browser)).toEqual([204, 201])
  })
})

describe('which assistants may be connected', () => {
  const make = async (scope: 'read' | 'write', person: Person = dev) =>
    outcome(
      await app.call(`POST /organizations/${org}/agent-tokens`, {
        headers: person.browser,
        body: { name: 'claude', scope },
      }),
    )

  it.each([
    ['none', true, 'assistant_forbidden', 'assistant_forbidden'],
    ['read', true, 201, 201],
    ['read', false, 201, 'assistant_forbidden'],
    ['listed', true, 201, 201],
    ['listed', false, 'assistant_forbidden', 'assistant_forbidden'],
    ['any', false, 201, 201],
  ])('with %s and tokens made by hand listed: %s', async (rule, ownTokens, reads, writes) => {
    await put({ assistants: { rule, hosts: ['claude.ai'], ownTokens } })
    expect([await make('read'), await make('write')]).toEqual([reads, writes])
  })

  it('shows before which tokens may do less from then on', async () => {
    expect([await make('write'), await make('read')]).toEqual([201, 201])
    const limitedBy = async (assistants: object) =>
      (await put({ assistants, dryRun: true })).body.effects.assistants.map(
        ({ scope }: { scope: string | null }) => scope,
      )
    expect(await limitedBy(anyReads)).toEqual([])
    expect(await limitedBy({ ...anyReads, ownTokens: false })).toEqual(['read'])
    expect(await limitedBy({ ...anyReads, rule: 'none' })).toEqual([null, null])
  })
})
