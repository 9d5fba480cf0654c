import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import type { Account } from '../testing/open-oidc-provider.ts'
import {
  begunOf,
  callback,
  openOidcApp,
  rejectionOf,
  type OidcApp,
} from './testing/open-oidc-app.ts'

type Headers = Record<string, string>

let app: OidcApp
let ada: { readonly userId: string; readonly token: string }
let browser: Headers
let accounts = 0

beforeAll(async () => {
  app = await openOidcApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  accounts += 1
  ada = await app.addPerson(`ada-${accounts}`)
  browser = await app.openBrowser(ada.userId)
})

const newAccount = (): Account => ({ sub: `sub-${accounts}`, email: `other-${accounts}@work.test` })

const begin = (verb: 'link' | 'confirm', headers: Headers, body: object = {}) =>
  app.call(`POST /me/oidc/${verb}`, { body, headers })

/** Goes to the provider and back, in a browser with the cookie of its beginning and the session of `headers`. */
async function goThrough(
  answer: Awaited<ReturnType<typeof begin>>,
  { headers = browser, account = newAccount() }: { headers?: Headers; account?: Account } = {},
) {
  expect(answer.status).toBe(200)
  const { url, cookie } = begunOf(answer)
  app.provider.account = account
  const back = await app.provider.openBrowser().visit(url, callback)
  return app.finish(back, `${headers['cookie'] ?? ''}; ${cookie}`)
}

const linkOf = async (headers = browser) => (await app.call('GET /me/oidc', { headers })).body

async function link(): Promise<void> {
  const answer = await goThrough(await begin('link', browser))
  expect(rejectionOf(answer)).toBeUndefined()
}

describe('linking an account of the provider', () => {
  it('lets it sign in to the account here from then on, whatever its address', async () => {
    expect(await linkOf()).toEqual({ linked: null, hasPassword: false })
    const event = await expectOneEvent(app.test, 'auth.oidc_linked', async () => {
      const answer = await goThrough(await begin('link', browser, { returnTo: '/settings' }))
      expect(answer.headers.get('location')).toBe('/settings')
      return answer
    })
    expect(event).toMatchObject({ actor: { id: ada.userId } })
    expect((await linkOf()).linked).toMatchObject({
      issuer: app.provider.issuer,
      email: newAccount().email,
    })
    const signedIn = await app.signIn(newAccount())
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await app.call('GET /me', { headers: { cookie } })).body.id).toBe(ada.userId)
  })

  it('asks for the password again, for a browser, and for a page of this server (GHSA-g38m-r43w-p2q7)', async () => {
    const codes: unknown[] = []
    codes.push((await app.call('POST /me/oidc/link', { body: {} })).body.code)
    codes.push((await app.call('POST /me/oidc/link', { body: {}, as: ada.token })).body.code)
    codes.push((await begin('link', { ...browser, 'sec-fetch-site': 'cross-site' })).body.code)
    codes.push((await begin('link', browser, { returnTo: '//e.test' })).body.code)
    app.clock.advance(601_000)
    codes.push((await begin('link', browser)).body.code)
    expect(codes).toEqual([
      'missing_credentials',
      'session_required',
      'csrf_failed',
      'validation_failed',
      'step_up_required',
    ])
  })

  it('is for the person who began: not for another who is signed in by now, and not for nobody', async () => {
    const bob = await app.addPerson(`bob-${accounts}`)
    for (const headers of [await app.openBrowser(bob.userId), {}]) {
      const answer = await goThrough(await begin('link', browser), { headers })
      expect(answer.headers.get('location')).toBe('/login?error=session_changed')
    }
    expect((await linkOf()).linked).toBeNull()
  })

  it('links nobody who only signs in, although somebody is signed in here: login and linking are two questions', async () => {
    app.provider.account = { ...newAccount(), email_verified: true }
    const { url, cookie } = await app.begin()
    const back = await app.provider.openBrowser().visit(url, callback)
    const answer = await app.finish(back, `${browser['cookie'] ?? ''}; ${cookie}`)
    expect(rejectionOf(answer)).toBe('no_account')
    expect((await linkOf()).linked).toBeNull()
  })

  it('takes no account that is linked to another, and no second one', async () => {
    await link()
    const taken = newAccount()
    const bob = await app.addPerson(`bob-${accounts}`)
    const ofBob = await app.openBrowser(bob.userId)
    const page = { returnTo: '/..//e.test?a=1#b' }
    const answer = await goThrough(await begin('link', ofBob, page), {
      headers: ofBob,
      account: taken,
    })
    // As the browser reads it, this stays on this server.
    expect(answer.headers.get('location')).toBe('/..//e.test?a=1&error=identity_taken#b')
    expect((await begin('link', browser)).body.code).toBe('already_exists')
    expect((await linkOf(ofBob)).linked).toBeNull()
  })

  it('is done by one of two browsers that began at once', async () => {
    const [one, two] = [await begin('link', browser), await begin('link', browser)]
    expect(rejectionOf(await goThrough(one))).toBeUndefined()
    expect(rejectionOf(await goThrough(two, { account: { sub: `second-${accounts}` } }))).toBe(
      'already_linked',
    )
  })
})

describe('ending the link', () => {
  it('keeps the provider from signing anybody in', async () => {
    await link()
    await app.test.asOwner(`update users set password_hash = 'x' where id = $1`, [ada.userId])
    await expectOneEvent(app.test, 'auth.oidc_unlinked', async () => {
      const answer = await app.call('DELETE /me/oidc', { headers: browser })
      expect(answer.status).toBe(204)
      return answer
    })
    expect(await linkOf()).toEqual({ linked: null, hasPassword: true })
    expect(rejectionOf(await app.signIn({ ...newAccount(), email_verified: true }))).toBe(
      'no_account',
    )
    expect((await app.call('DELETE /me/oidc', { headers: browser })).status).toBe(404)
  })

  it('ends every other session, on every node at once: the account that was linked may have opened them', async () => {
    await link()
    await app.test.asOwner(`update users set password_hash = 'x' where id = $1`, [ada.userId])
    const cookie = (await app.signIn(newAccount())).headers.get('set-cookie')?.split(';')[0] ?? ''
    const node = await app.openFresh()
    const isOpen = async (headers: Headers) => (await node.call('GET /me', { headers })).status
    expect([await isOpen({ cookie }), await isOpen(browser)]).toEqual([200, 200])
    const event = await expectOneEvent(app.test, 'auth.oidc_unlinked', () =>
      app.call('DELETE /me/oidc', { headers: browser }),
    )
    expect(event.detail).toEqual({ ended: 1 })
    expect([await isOpen({ cookie }), await isOpen(browser)]).toEqual([401, 200])
    node.feed.close()
  })

  it('is refused to a token, where it is the only way in, and after ten minutes without the password', async () => {
    await link()
    await expectNoEvent(app.test, async () => {
      const found = await app.call('DELETE /me/oidc', { as: ada.token })
      expect(found.body.code).toBe('session_required')
      expect((await app.call('DELETE /me/oidc', { headers: browser })).body.code).toBe('conflict')
      app.clock.advance(601_000)
      const late = await app.call('DELETE /me/oidc', { headers: browser })
      expect(late.body.code).toBe('step_up_required')
    })
    expect((await linkOf()).linked).not.toBeNull()
  })
})

describe('confirming at the provider', () => {
  const makeToken = () => app.call('POST /me/tokens', { body: { name: 't' }, headers: browser })

  beforeEach(async () => {
    await link()
    app.clock.advance(601_000)
  })

  it('counts as typing the password, for ten minutes', async () => {
    expect((await makeToken()).body.code).toBe('step_up_required')
    const asked = await begin('confirm', browser, { returnTo: '/keys' })
    const parameters = new URL(asked.body.url).searchParams
    expect([parameters.get('prompt'), parameters.get('max_age')]).toEqual(['login', '0'])
    // The provider's `auth_time` is real time, which is behind the clock of the test, and must not be before the attempt.
    await app.test.asOwner(`update oidc_attempts set created_at = now() where used_at is null`)
    await expectOneEvent(app.test, 'auth.confirmed', async () => {
      const answer = await goThrough(asked)
      expect(answer.headers.get('location')).toBe('/keys')
      return answer
    })
    expect((await makeToken()).status).toBe(201)
    app.clock.advance(601_000)
    expect((await makeToken()).body.code).toBe('step_up_required')
  })

  it('takes nobody else who signs in there', async () => {
    const asked = await begin('confirm', browser, { returnTo: '/keys' })
    await app.test.asOwner(`update oidc_attempts set created_at = now() where used_at is null`)
    const answer = await goThrough(asked, { account: { sub: `other-${accounts}` } })
    expect(answer.headers.get('location')).toBe('/keys?error=not_confirmed')
    expect((await makeToken()).body.code).toBe('step_up_required')
  })

  it('takes no sign-in from before it was asked for, which is what the provider answers that asks nobody again', async () => {
    const asked = await begin('confirm', browser)
    // The question is ten minutes ahead of the clock of the provider, and so is what it answers behind.
    expect(rejectionOf(await goThrough(asked))).toBe('not_confirmed')
    expect((await makeToken()).body.code).toBe('step_up_required')
  })

  it('is for whoever has linked an account', async () => {
    const bob = await app.addPerson(`bob-${accounts}`)
    const ofBob = await app.openBrowser(bob.userId)
    expect((await begin('confirm', ofBob)).status).toBe(404)
  })
})

describe('without a provider in the settings', () => {
  it('nobody links or confirms', async () => {
    const node = await app.openNode()
    const asked = await node.call('POST /me/oidc/link', { body: {}, headers: browser })
    expect(asked.body.code).toBe('provider_not_set_up')
    node.feed.close()
  })

  it('a provider that does not answer is said to be the cause', async () => {
    const node = await app.openFresh()
    app.wire.tamper = () => new Response('', { status: 500 })
    const asked = await node.call('POST /me/oidc/link', { body: {}, headers: browser })
    expect(asked.body.code).toBe('provider_error')
    app.wire.tamper = undefined
    node.feed.close()
  })
})
