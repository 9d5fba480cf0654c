import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { hashPassword } from '../../crypto/passwords.ts'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import {
  cookieOf,
  fromOwnPage,
  openIdentityApp,
  password,
  type IdentityApp,
  type IdentityNode,
} from '../testing/open-identity-app.ts'

let app: IdentityApp
const email = 'ada@example.com'

beforeAll(async () => {
  app = await openIdentityApp()
  await app.setPassword((await app.addPerson('ada')).userId)
  await app.addPerson('nopassword')
})
afterAll(() => app.close())

const signIn = (
  body: object = {},
  node: Pick<IdentityNode, 'call'> = app,
  headers: Readonly<Record<string, string>> = {},
) => node.call('POST /sessions', { body: { email, password, ...body }, headers })

const me = (cookie: string) => app.call('GET /me', { headers: { cookie } })

describe('POST /sessions', () => {
  it('signs a person in with a cookie that only this host gets, over https only', async () => {
    const answer = await signIn({ email: 'ADA@example.com' })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ user: { email } })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-s=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Expires=/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await me(cookieOf(answer))).body.email).toBe(email)
  })

  it('gives a fresh session each time, and ends the one that the browser had', async () => {
    const first = cookieOf(await signIn())
    const headers = { cookie: first }
    await signIn({ password: 'a wrong password' }, app, headers)
    expect((await me(first)).status).toBe(200)
    const second = cookieOf(await signIn({}, app, headers))
    expect(second).not.toBe(first)
    expect([(await me(first)).status, (await me(second)).status]).toEqual([401, 200])
  })

  it('signs out whoever else was signed in to the browser, with an event of theirs', async () => {
    const { userId } = await app.addPerson('former')
    const browser = await app.openBrowser(userId)
    expect((await signIn({}, app, browser)).status).toBe(201)
    const events = await app.test.asOwner(
      `select from audit_events where action = 'auth.logout' and actor ->> 'id' = $1`,
      [userId],
    )
    expect(events).toHaveLength(1)
    expect((await me(browser['cookie'] ?? '')).status).toBe(401)
  })

  it('answers alike for a wrong password, an unknown account and one without a password', async () => {
    const answers = [
      await signIn({ password: 'wrong password' }),
      await signIn({ email: 'nobody@example.com' }),
      await signIn({ email: 'nopassword@example.com' }),
    ]
    const shown = answers.map(({ status, body }) => ({ status, ...body, instance: '' }))
    expect(shown[0]).toMatchObject({ status: 401, code: 'invalid_credentials' })
    expect(shown[1]).toEqual(shown[0])
    expect(shown[2]).toEqual(shown[0])
  })

  it('works as long for an unknown account as for a wrong password', async () => {
    const timeOf = async (body: object) => {
      const node = await app.openNode()
      const started = performance.now()
      await signIn(body, node)
      return performance.now() - started
    }
    const values = [email, await hashPassword(password)]
    await app.test.asOwner('update users set password_hash = $2 where email = $1', values)
    // At best: a machine that did something else meanwhile would make the other look short.
    const known = Math.min(
      await timeOf({ password: 'wrong password' }),
      await timeOf({ password: 'wrong password' }),
      await timeOf({ password: 'wrong password' }),
    )
    const unknown = await timeOf({ email: 'nobody2@example.com' })
    expect(unknown).toBeGreaterThan(known / 3)
  })

  it('are refused with a time to wait where too many strangers sign in at once, and a known network is not', async () => {
    const node = await app.openNode()
    expect((await signIn({}, node)).status).toBe(201)
    const strangers = Array.from({ length: 40 }, (_, at) =>
      signIn({ email: `stranger${at}@example.com` }, node),
    )
    expect((await signIn({}, node)).status).toBe(201)
    const answers = await Promise.all(strangers)
    const refused = answers.filter(({ status }) => status === 503)
    expect(answers.filter(({ status }) => status !== 503 && status !== 401)).toEqual([])
    expect(refused.length).toBeGreaterThan(9)
    expect(refused[0]?.body.code).toBe('overloaded')
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('writes one event for a success and one for a failure, without what was typed', async () => {
    const login = await expectOneEvent(app.test, 'auth.login', () => signIn())
    expect(login).toMatchObject({ org_id: 'server', actor: { name: 'ada' } })
    const node = await app.openNode()
    const failed = await expectOneEvent(app.test, 'auth.login_failed', () =>
      signIn({ password: 'typed secret' }, node),
    )
    expect(failed.target).toMatchObject({ type: 'user', name: 'ada' })
    expect(JSON.stringify(failed)).not.toContain('typed')
  })

  it('writes no event for an address without an account, or strangers would fill what nobody can delete', async () => {
    const node = await app.openNode()
    await expectNoEvent(app.test, async () => {
      const unknown = await signIn({ email: 'typed-secret@example.com', password: 'typed' }, node)
      expect(unknown.status).toBe(401)
    })
  })
})

describe('too many tries', () => {
  let node: IdentityNode
  /** Stands still: how long they wait is not to end while the machine works out what was typed. */
  let at: Date
  beforeEach(async () => {
    at = app.clock.now()
    node = await app.openNode({ rateLimits: defaultRateLimits, now: () => at })
  })
  afterEach(() => node.feed.close())

  const tryFrom = (ip: string, account = email) =>
    node.call('POST /sessions', {
      body: { email: account, password: 'wrong password' },
      headers: { 'x-forwarded-for': ip },
    })

  const signInFrom = (ip: string) =>
    node.call('POST /sessions', { body: { email, password }, headers: { 'x-forwarded-for': ip } })

  const statusesFrom = async (ips: readonly string[], account = email) => {
    const statuses: number[] = []
    for (const ip of ips) statuses.push((await tryFrom(ip, account)).status)
    return statuses
  }

  it.each([email, 'nobody@example.com'])(
    'of one account from one network are slowed down, and nobody is locked out: %s',
    async (account) => {
      const ips = [1, 2, 3, 4, 5].map((host) => `2001:db8:0:5::${host}`)
      expect(await statusesFrom(ips, account)).toEqual([401, 401, 401, 401, 429])
      const refused = await tryFrom('2001:db8:0:5::9', account)
      expect(refused.body.code).toBe('rate_limited')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      at = new Date(at.getTime() + 61_000)
      expect((await tryFrom('2001:db8:0:5::1', account)).status).toBe(401)
    },
  )

  it('of one account do not delay its owner, who is somewhere else', async () => {
    const attacker = '203.0.113.1'
    const statuses = await statusesFrom(Array.from({ length: 6 }, () => attacker))
    expect(statuses.slice(4)).toEqual([429, 429])
    expect((await signInFrom('198.51.100.7')).status).toBe(201)
    expect((await tryFrom(attacker)).status).toBe(429)
  })

  it('of one account from many networks meet a ceiling, which does not stop its owner where he was before', async () => {
    node.feed.close()
    const signInAccount = { perSecond: 0.001, burst: 5 }
    node = await app.openNode({ rateLimits: { ...defaultRateLimits, signInAccount } })
    expect((await signInFrom('198.51.100.7')).status).toBe(201)
    const networks = Array.from({ length: 7 }, (_, host) => `203.0.113.${host}`)
    expect(await statusesFrom(networks)).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect((await signInFrom('198.51.100.7')).status).toBe(201)
    expect((await signInFrom('198.51.100.8')).status).toBe(429)
    expect((await tryFrom('203.0.113.8', 'nopassword@example.com')).status).toBe(401)
  })

  it('of an address are refused, and a whole /64 counts as one (CVE-2026-45364)', async () => {
    node.feed.close()
    const signInLimit = { perSecond: 0.001, burst: 10 }
    node = await app.openNode({ rateLimits: { ...defaultRateLimits, signIn: signInLimit } })
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      statuses.push((await tryFrom(`2001:db8:0:1::${i}`, `account${i}@example.com`)).status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
    expect(statuses.slice(10)).toEqual([429, 429])
    expect((await tryFrom('2001:db8:0:2::1', 'account99@example.com')).status).toBe(401)
  })
})

describe('a session', () => {
  it('ends after 12 idle hours, lives on when it is used, and ends after seven days', async () => {
    const hours = (count: number) => app.clock.advance(count * 3600 * 1000)
    const idle = cookieOf(await signIn())
    const used = cookieOf(await signIn())
    hours(11)
    expect((await me(used)).status).toBe(200)
    hours(2)
    expect((await me(idle)).body.code).toBe('expired_credentials')
    for (let i = 0; i < 15; i++) {
      expect((await me(used)).status).toBe(200)
      hours(11)
    }
    expect((await me(used)).body.code).toBe('expired_credentials')
  })

  it('that nobody issued is invalid, and an empty cookie is none', async () => {
    expect((await me(`__Host-s=${'x'.repeat(43)}`)).body.code).toBe('invalid_credentials')
    expect((await me('__Host-s=junk')).body.code).toBe('invalid_credentials')
    expect((await me('__Host-s=')).body.code).toBe('missing_credentials')
    expect((await me(`s=${cookieOf(await signIn()).slice(9)}`)).body.code).toBe(
      'missing_credentials',
    )
  })
})

describe('a password that was typed more than ten minutes ago', () => {
  const minutes = (count: number) => app.clock.advance(count * 60_000)
  const makeToken = (cookie: string) =>
    app.call('POST /me/tokens', { body: { name: 'a token' }, headers: fromOwnPage(cookie) })
  const confirm = (cookie: string, typed = password, node: Pick<IdentityNode, 'call'> = app) =>
    node.call('POST /sessions/current/confirm', {
      body: { password: typed },
      headers: fromOwnPage(cookie),
    })

  it('is asked for again before a key or token is made, and then counts for ten minutes more', async () => {
    const cookie = cookieOf(await signIn())
    minutes(9)
    expect((await makeToken(cookie)).status).toBe(201)
    minutes(2)
    const refused = await makeToken(cookie)
    expect([refused.status, refused.body.code]).toEqual([403, 'step_up_required'])
    expect((await me(cookie)).status).toBe(200)
    await expectOneEvent(app.test, 'auth.confirmed', async () => {
      expect((await confirm(cookie)).status).toBe(204)
    })
    expect((await makeToken(cookie)).status).toBe(201)
    minutes(11)
    expect((await makeToken(cookie)).body.code).toBe('step_up_required')
  })

  it('is asked for at every endpoint that declares it, and by none of them of a token', async () => {
    const orgId = await app.addOrganization('Step up')
    const { token, userId } = await app.addPerson('stepper', { [orgId]: 'owner' })
    const headers = await app.openBrowser(userId)
    minutes(11)
    const declared = app.router.endpoints.filter(({ stepUp }) => stepUp === true)
    expect(declared).not.toEqual([])
    const requests = declared.map(
      ({ method, path }) =>
        `${method} ${path.replace('{org_id}', orgId).replaceAll(/\{\w+_id\}/g, 'absent')}`,
    )
    for (const request of requests) {
      const inBrowser = await app.call(request, { body: {}, headers })
      expect([request, inBrowser.body.code]).toEqual([request, 'step_up_required'])
    }
    for (const request of requests) {
      const byToken = await app.call(request, { body: {}, as: token })
      expect([request, byToken.body?.code]).not.toEqual([request, 'step_up_required'])
    }
  })

  it('is not confirmed by a wrong one, nor by another session of the same person', async () => {
    const [cookie, other] = [cookieOf(await signIn()), cookieOf(await signIn())]
    minutes(11)
    await expectOneEvent(app.test, 'auth.confirm_failed', async () => {
      const wrong = await confirm(cookie, 'wrong password')
      expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials'])
    })
    expect((await confirm(other)).status).toBe(204)
    expect((await makeToken(cookie)).body.code).toBe('step_up_required')
  })

  it('is guessed no faster with a session than without one', async () => {
    const cookie = cookieOf(await signIn())
    const node = await app.openNode()
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push((await confirm(cookie, 'wrong', node)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 429])
    node.feed.close()
  })
})

describe('DELETE /sessions/current', () => {
  it('ends the session on every node at once, with one event', async () => {
    const cookie = cookieOf(await signIn())
    const other = await app.openNode()
    await expectOneEvent(app.test, 'auth.logout', async () => {
      const answer = await app.call('DELETE /sessions/current', { headers: fromOwnPage(cookie) })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('set-cookie')).toContain('__Host-s=; ')
      expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    })
    expect((await other.call('GET /me', { headers: { cookie } })).status).toBe(401)
  })

  it('has nothing to end or to confirm for a token', async () => {
    const { token: as } = await app.addPerson('bob')
    await expectNoEvent(app.test, async () => {
      expect((await app.call('DELETE /sessions/current', { as })).status).toBe(404)
      const confirmed = await app.call('POST /sessions/current/confirm', { as, body: { password } })
      expect(confirmed.status).toBe(404)
    })
  })
})
