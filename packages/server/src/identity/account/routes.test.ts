import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import {
  bootstrapToken,
  cookieOf,
  fromOwnPage,
  openIdentityApp,
  password,
  type IdentityApp,
} from '../testing/open-identity-app.ts'

let app: IdentityApp
let person: Awaited<ReturnType<IdentityApp['addPerson']>>
let email: string
let people = 0
const newPassword = 'another long passphrase'

beforeAll(async () => {
  app = await openIdentityApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  const name = `person${++people}`
  email = `${name}@example.com`
  person = await app.addPerson(name)
  await app.setPassword(person.userId)
})

const outcome = ({ status, body }: Awaited<ReturnType<IdentityApp['call']>>) => body?.code ?? status
const change = (
  headers: Record<string, string>,
  body: object = {},
  node: Pick<IdentityApp, 'call'> = app,
) =>
  node.call('PUT /me/password', {
    headers,
    body: { currentPassword: password, newPassword, ...body },
  })
const me = (headers: Record<string, string>, node: Pick<IdentityApp, 'call'> = app) =>
  node.call('GET /me', { headers })
const signIn = (typed: string) => app.call('POST /sessions', { body: { email, password: typed } })

describe('PATCH /me', () => {
  it('renames the person, with one event, and does nothing when it is the same name', async () => {
    const rename = (body: object) => app.call('PATCH /me', { as: person.token, body })
    await expectOneEvent(app.test, 'user.renamed', async () => {
      expect((await rename({ name: ' Grace ' })).body).toEqual({
        id: person.userId,
        name: 'Grace',
        email,
      })
    })
    expect((await me({ authorization: `Bearer ${person.token}` })).body.name).toBe('Grace')
    await expectNoEvent(app.test, () => rename({ name: 'Grace' }))
    expect(outcome(await rename({ name: 'Grace', email: 'a@example.com' }))).toBe('unknown_field')
  })
})

describe('PUT /me/password', () => {
  it('ends every session on every node, the present one included, and gives a fresh one', async () => {
    const [browser, elsewhere] = [
      await app.openBrowser(person.userId),
      await app.openBrowser(person.userId),
    ]
    const other = await app.openNode()
    let answer = await me(browser)
    const event = await expectOneEvent(app.test, 'auth.password_changed', async () => {
      answer = await change(browser)
    })
    expect(answer.status).toBe(204)
    expect(event.detail).toEqual({ sessionsEnded: 2 })
    expect(JSON.stringify(event)).not.toContain('passphrase')
    for (const old of [browser, elsewhere]) expect((await me(old, other)).status).toBe(401)
    expect((await me(fromOwnPage(cookieOf(answer)), other)).status).toBe(200)
    expect(outcome(await signIn(password))).toBe('invalid_credentials')
    expect(outcome(await signIn(newPassword))).toBe(201)
    expect((await app.call('GET /me', { as: person.token })).status).toBe(200)
  })

  it('is refused like a sign-in when the present one is guessed', async () => {
    const browser = await app.openBrowser(person.userId)
    const node = await app.openNode()
    const outcomes: unknown[] = []
    // The waits grow, so that the fifth or one of the next is refused, however slow this machine is.
    while (outcomes.length < 12 && !outcomes.includes('rate_limited')) {
      outcomes.push(outcome(await change(browser, { currentPassword: 'wrong' }, node)))
    }
    expect(outcomes.slice(0, 4)).toEqual(Array(4).fill('invalid_credentials'))
    expect(outcomes.at(-1)).toBe('rate_limited')
    const body = { email, password }
    expect(outcome(await node.call('POST /sessions', { body }))).toBe('rate_limited')
    expect((await me(browser)).status).toBe(200)
  })

  it('is for a browser of the person: neither for tokens nor for pages of others', async () => {
    const body = { currentPassword: password, newPassword }
    const as = (token: string) => app.call('PUT /me/password', { as: token, body })
    expect(outcome(await as(person.token))).toBe('session_required')
    expect(outcome(await as(bootstrapToken))).toBe('role_forbidden')
    const { cookie = '' } = await app.openBrowser(person.userId)
    expect(outcome(await change({ cookie }))).toBe('csrf_failed')
    expect(
      outcome(await change(await app.openBrowser(person.userId), { newPassword: 'short' })),
    ).toBe('validation_failed')
  })

  it('leaves no session that was begun with the former one at the same moment', async () => {
    const other = await app.openNode()
    for (let round = 0; round < 6; round++) {
      const browser = await app.openBrowser(person.userId)
      const body = { email, password }
      const [signedIn] = await Promise.all([
        other.call('POST /sessions', { body }),
        change(browser),
      ])
      const [{ count } = { count: -1 }] = await app.test.asOwner<{ count: number }>(
        'select count(*)::int as count from sessions where user_id = $1',
        [person.userId],
      )
      // The one of the browser that changed it; the other was refused, or ended at once.
      expect([
        signedIn.status === 201 || outcome(signedIn) === 'invalid_credentials',
        count,
      ]).toEqual([true, 1])
      await app.setPassword(person.userId)
      app.clock.advance(60_000)
    }
  })
})
