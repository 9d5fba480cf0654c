import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { newId } from '../../crypto/ids.ts'
import { createEgress } from '../../egress/create-egress.ts'
import { cookieOf, type Answer } from '../testing/open-identity-app.ts'
import type { Account } from '../testing/open-oidc-provider.ts'
import {
  callback,
  openOidcApp,
  publicUrl,
  rejectionOf,
  type OidcApp,
} from './testing/open-oidc-app.ts'

let app: OidcApp
let people = 0

beforeAll(async () => {
  app = await openOidcApp()
})
afterAll(() => app.close())
beforeEach(() => {
  app.wire.tamper = undefined
  app.asked.length = 0
})

/** Somebody new at the provider. */
const newAccount = (more: Partial<Account> = {}): Account => {
  people += 1
  const name = `person-${people}`
  return { sub: `sub-${name}`, email: `${name}@example.com`, email_verified: true, name, ...more }
}

/** Somebody who was invited and has signed in once. */
async function signInInvited(account = newAccount()): Promise<Account> {
  await app.invite(account.email ?? '')
  expect(rejectionOf(await app.signIn(account))).toBeUndefined()
  return account
}

const me = async (answer: Answer) =>
  (await app.call('GET /me', { headers: { cookie: cookieOf(answer) } })).body

const countUsers = async () => (await app.test.asOwner('select from users')).length

describe('GET /sign-in/options', () => {
  it('names the provider, or none', async () => {
    expect((await app.call('GET /sign-in/options')).body).toEqual({
      password: true,
      oidc: { name: 'Acme' },
      byEmail: false,
    })
    const node = await app.openNode()
    expect((await node.call('GET /sign-in/options')).body.oidc).toBeNull()
    expect(rejectionOf(await node.call('GET /sign-in/oidc'))).toBe('not_set_up')
    expect(rejectionOf(await node.call('GET /sign-in/oidc/callback?state=x'))).toBe('not_set_up')
    node.feed.close()
  })
})

describe('the groups of somebody who signs in', () => {
  const add = async (orgId: string, name: string, source = 'oidc') => {
    const id = newId('grp', new Date())
    await app.test.asOwner(
      `insert into member_groups (org_id, id, name, source, created_at, created_by) values ($1, $2, $3, $4, now(), '{}')`,
      [orgId, id, name, source],
    )
    return id
  }
  const groupsOf = async (orgId: string) => {
    const rows = await app.test.asOwner<{ name: string }>(
      `select g.name from group_members p join member_groups g on g.org_id = p.org_id and g.id = p.group_id
        where p.org_id = $1 order by g.name`,
      [orgId],
    )
    return rows.map(({ name }) => name)
  }

  it('are those that the provider names now, of the groups that its organizations have for it', async () => {
    const account = newAccount()
    await signInInvited(account)
    const orgId = await app.addOrganization('Grouped')
    await app.test.asOwner(
      `insert into members (org_id, user_id, role) select $1, user_id, 'viewer' from oidc_identities where subject = $2`,
      [orgId, account.sub],
    )
    for (const name of ['Developers', 'Operators']) await add(orgId, name)
    await add(orgId, 'Manual', 'manual')
    await app.signIn({ ...account, groups: ['developers', 'Manual', 'Unknown', 7] })
    const [event] = await app.test.asOwner(
      `select actor, target from audit_events where org_id = $1 and action = 'group.member_added'`,
      [orgId],
    )
    expect(event).toMatchObject({ actor: { type: 'system' }, target: { name: 'Developers' } })
    expect(await groupsOf(orgId)).toEqual(['Developers'])
    await app.signIn({ ...account, groups: ['Operators'] })
    expect(await groupsOf(orgId)).toEqual(['Operators'])
    // Without the claim nobody knows that they are still in one.
    await app.signIn(account)
    expect(await groupsOf(orgId)).toEqual([])
  })
})

describe('signing in with the OpenID provider', () => {
  it('asks with PKCE, a state and a nonce, none of which is in the database or the cookie', async () => {
    const answer = await app.call('GET /sign-in/oidc')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-oidc=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
    const url = new URL(answer.headers.get('location') ?? '')
    expect(url.origin).toBe(app.provider.issuer)
    const asked = Object.fromEntries(url.searchParams)
    expect(asked).toMatchObject({
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid email profile groups',
      code_challenge_method: 'S256',
    })
    const secrets = ['state', 'nonce', 'code_challenge'].map((name) => asked[name] ?? '')
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/)
    expect(new Set(secrets).size).toBe(3)
    const rows = JSON.stringify(await app.test.asOwner('select t::text from oidc_attempts t'))
    const kept = [...secrets, cookieOf(answer).split('=')[1] ?? '']
    for (const secret of kept) {
      expect(rows).not.toContain(secret)
      expect(rows).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
    }
  })

  it('lets in whoever was invited to the address that the provider verified, and knows them afterwards', async () => {
    const account = newAccount({ email: 'Ada.Lovelace@Example.com', name: 'Ada' })
    await app.invite('ada.lovelace@example.com')
    const first = await app.signIn(account)
    expect(first.headers.get('location')).toBe('/')
    expect(await me(first)).toMatchObject({ name: 'Ada', email: 'ada.lovelace@example.com' })
    await app.test.asOwner('delete from invitations')
    // The address says nothing any more: neither that it is another, nor that it is not verified.
    const later = { sub: account.sub, email: 'other@example.com', email_verified: false }
    const event = await expectOneEvent(app.test, 'auth.login', async () => {
      const again = await app.signIn(later)
      expect((await me(again)).id).toBe((await me(first)).id)
      return again
    })
    expect(event).toMatchObject({ detail: { oidc: true }, actor: { name: 'Ada' } })
  })

  it('ends the session that the browser had, of the same person or of another', async () => {
    const account = await signInInvited()
    const former = cookieOf(await app.signIn(account))
    for (const [person, cookie] of [
      [account, former],
      [await signInInvited(), cookieOf(await app.signIn(account))],
    ] as const) {
      app.provider.account = person
      const begun = await app.begin()
      const back = await app.provider.openBrowser().visit(begun.url, callback)
      const again = await app.finish(back, `${cookie}; ${begun.cookie}`)
      expect(rejectionOf(again)).toBeUndefined()
      expect((await app.call('GET /me', { headers: { cookie } })).status).toBe(401)
      expect((await me(again)).email).toBe(person.email)
    }
  })

  it('gives a session as fresh as a password would: nothing asks to confirm', async () => {
    const answer = await app.signIn(await signInInvited())
    const headers = {
      cookie: cookieOf(answer),
      'sec-fetch-site': 'same-origin',
      'x-requested-by': 'signalbox',
    }
    const made = await app.call('POST /me/tokens', { body: { name: 'a token' }, headers })
    expect(made.status).toBe(201)
  })

  it('asks the provider for nothing but keys and token when the person is known', async () => {
    const account = await signInInvited()
    app.asked.length = 0
    await app.signIn(account)
    expect(app.asked).toEqual(['/token'])
  })
})

describe('whom it does not let in', () => {
  it.each<[string, string, Partial<Account>, boolean]>([
    ['somebody whom nobody invited', 'no_account', {}, false],
    ['an address that is not verified', 'email_unverified', { email_verified: false }, true],
    ['nobody says whether it is verified', 'email_unverified', { email_verified: null }, true],
    ['somebody without an address', 'email_unverified', { email: null }, true],
  ])('%s: %s', async (_name, code, more, isInvited) => {
    const account = newAccount(more)
    if (isInvited) await app.invite(`person-${people}@example.com`)
    const before = await countUsers()
    const answer = await app.signIn(account)
    expect(answer.headers.get('location')).toBe(`/login?error=${code}`)
    expect(cookieOf(answer)).toBe('__Host-oidc=')
    expect(await countUsers()).toBe(before)
  })

  it('an address that becomes the invited one in small letters alone', async () => {
    await app.invite('kim@example.com')
    const account = newAccount({ email: '\u212Aim@example.com' })
    expect(rejectionOf(await app.signIn(account))).toBe('email_unverified')
    expect(rejectionOf(await app.signIn(newAccount({ email: 'Kim@example.com' })))).toBeUndefined()
  })

  it('somebody whose subject is linked at the same moment: no account is left that nobody could sign in to', async () => {
    const account = newAccount()
    await app.invite(account.email ?? '')
    const { userId } = await app.addPerson(`meanwhile-${people}`)
    app.wire.tamper = async (url, answer) => {
      if (url.pathname !== '/me') return answer
      await app.test.asOwner(
        'insert into oidc_identities (issuer, subject, user_id, created_at) values ($1, $2, $3, now())',
        [app.provider.issuer, account.sub, userId],
      )
      return answer
    }
    const before = await countUsers()
    expect(rejectionOf(await app.signIn(account))).toBe('provider_response')
    expect(await countUsers()).toBe(before)
  })

  it('somebody whose invitation has expired', async () => {
    const account = newAccount()
    await app.invite(account.email ?? '', '2020-01-01')
    expect(rejectionOf(await app.signIn(account))).toBe('no_account')
  })

  it('the owner of an address that has an account, which others made (GHSA-g38m-r43w-p2q7)', async () => {
    await app.addPerson('grace')
    await app.invite('grace@example.com')
    const account = newAccount({ email: 'GRACE@example.com' })
    expect(rejectionOf(await app.signIn(account))).toBe('link_required')
    const [row] = await app.test.asOwner<{ count: number }>(
      `select count(*)::int as count from oidc_identities where subject = '${account.sub}'`,
    )
    expect(row?.count).toBe(0)
  })

  it('the same subject of another issuer', async () => {
    const account = await signInInvited()
    await app.test.asOwner(
      `update oidc_identities set issuer = 'https://other.test' where subject = $1`,
      [account.sub],
    )
    expect(rejectionOf(await app.signIn(account))).toBe('link_required')
  })

  it('whoever presses Cancel; nothing that the provider says is shown', async () => {
    const answer = await app.signIn(undefined)
    expect(answer.headers.get('location')).toBe('/login?error=provider_denied')
    expect(answer.text).toBe('')
  })

  it('writes down who was refused why, without an address', async () => {
    const account = newAccount()
    const event = await expectOneEvent(app.test, 'auth.login_failed', () => app.signIn(account))
    expect(event).toMatchObject({ detail: { oidc: true, reason: 'no_account' } })
    expect(JSON.stringify(event)).not.toContain(account.email)
  })
})

describe('the way back', () => {
  it('is taken only with the state and the cookie that belong together: 16 cases (GHSA-wxw3-q3m9-c3jr, CVE-2026-81888)', async () => {
    const account = await signInInvited()
    app.provider.account = account
    const other = await app.begin()
    const otherState = new URL(other.url).searchParams.get('state')
    const outcomes: string[] = []
    for (const state of ['valid', 'other', 'absent', 'empty']) {
      for (const cookie of ['valid', 'other', 'absent', 'empty']) {
        const begun = await app.begin()
        const url = await app.provider.openBrowser().visit(begun.url, callback)
        if (state === 'other') url.searchParams.set('state', otherState ?? '')
        if (state === 'absent') url.searchParams.delete('state')
        if (state === 'empty') url.searchParams.set('state', '')
        const cookies = {
          valid: begun.cookie,
          other: other.cookie,
          absent: 'a=b',
          empty: '__Host-oidc=',
        }
        const sent = new Map(Object.entries(cookies)).get(cookie) ?? ''
        const answer = await app.finish(url, sent)
        outcomes.push(`${state} ${cookie}: ${rejectionOf(answer) ?? 'in'}`)
      }
    }
    expect(outcomes.filter((outcome) => outcome.endsWith(': in'))).toEqual(['valid valid: in'])
    // The other's state with the other's cookie is of one browser, and its code is of another question.
    expect(outcomes).toContain('other other: provider_response')
  })

  it('is good once: a callback that is loaded again signs nobody in', async () => {
    app.provider.account = await signInInvited()
    const { url, cookie } = await app.begin()
    const back = await app.provider.openBrowser().visit(url, callback)
    const answers = await Promise.all([app.finish(back, cookie), app.finish(back, cookie)])
    expect(new Set(answers.map(rejectionOf))).toEqual(new Set(['state_used', undefined]))
    app.asked.length = 0
    expect(rejectionOf(await app.finish(back, cookie))).toBe('state_used')
    expect(app.asked).toEqual([])
  })

  it('ends after ten minutes', async () => {
    app.provider.account = await signInInvited()
    const { url, cookie } = await app.begin()
    const back = await app.provider.openBrowser().visit(url, callback)
    app.clock.advance(600_000)
    expect(rejectionOf(await app.finish(back, cookie))).toBe('state_expired')
  })

  it('takes no answer that names another issuer, and shows it no code (RFC 9207)', async () => {
    app.provider.account = await signInInvited()
    const { url, cookie } = await app.begin()
    const back = await app.provider.openBrowser().visit(url, callback)
    expect(back.searchParams.get('iss')).toBe(app.provider.issuer)
    back.searchParams.set('iss', 'https://evil.test')
    app.asked.length = 0
    expect(rejectionOf(await app.finish(back, cookie))).toBe('provider_response')
    expect(app.asked).toEqual([])
  })

  it('leads to the page where it began, with or without success', async () => {
    const account = await signInInvited()
    app.provider.account = account
    const page = '/settings/account?tab=2#keys'
    const begun = await app.begin(page)
    const back = await app.provider.openBrowser().visit(begun.url, callback)
    expect((await app.finish(back, begun.cookie)).headers.get('location')).toBe(page)
    const refused = await app.finish(back, begun.cookie)
    const login = new URL(refused.headers.get('location') ?? '', publicUrl)
    expect(login.pathname).toBe('/login')
    expect(login.searchParams.get('returnTo')).toBe(page)
  })
})

describe('a provider that cannot be reached', () => {
  it('is named as such, and asked again the next time', async () => {
    const node = await app.openFresh()
    app.wire.tamper = () => Promise.reject(new TypeError('cut'))
    expect(rejectionOf(await node.call('GET /sign-in/oidc?returnTo=/a'))).toBeDefined()
    app.wire.tamper = () => new Response('down', { status: 503 })
    const down = await node.call('GET /sign-in/oidc?returnTo=/a')
    expect(down.headers.get('location')).toBe('/login?error=provider_unavailable&returnTo=%2Fa')
    app.wire.tamper = undefined
    const up = await node.call('GET /sign-in/oidc')
    expect(up.headers.get('location')).toContain(app.provider.issuer)
    node.feed.close()
  })

  it('is not reached at an address of this network that the operator did not name (GHSA-5rr4-8452-hf4v)', async () => {
    const node = await app.openFresh()
    const strict = createEgress({ allow: [] })
    const before = app.wire.egress
    app.wire.egress = strict
    expect(rejectionOf(await node.call('GET /sign-in/oidc'))).toBe('provider_unavailable')
    app.wire.egress = before
    await strict.close()
    node.feed.close()
  })
})
