import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import {
  cookieOf,
  fromOwnPage,
  openIdentityApp,
  password,
  type IdentityApp,
} from '../testing/open-identity-app.ts'
import { updatePasswordHash } from '../user-rows.ts'

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

describe('a new password that is guessed first', () => {
  it('is refused with the reason, and the one before stays', async () => {
    const headers = await app.openBrowser(person.userId)
    const refused = await change(headers, { newPassword: '123456789012' })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/newPassword'])
    expect((await signIn(password)).status).toBe(201)
  })
})

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
    const moment = app.clock.now()
    const node = await app.openNode({ now: () => moment })
    const outcomes: unknown[] = []
    for (let i = 0; i < 5; i++) {
      outcomes.push(outcome(await change(browser, { currentPassword: 'wrong' }, node)))
    }
    expect(outcomes).toEqual([...Array<string>(4).fill('invalid_credentials'), 'rate_limited'])
    const body = { email, password }
    expect(outcome(await node.call('POST /sessions', { body }))).toBe('rate_limited')
    expect((await me(browser)).status).toBe(200)
  })

  it('names the field of the present one where that was wrong', async () => {
    const browser = await app.openBrowser(person.userId)
    const { body } = await change(browser, { currentPassword: 'wrong' })
    const [fault, ...others] = body.errors
    expect(fault).toMatchObject({ pointer: '/currentPassword', detail: body.detail })
    expect(others).toEqual([])
  })

  it('lets nobody in who gave the former one before it was changed and comes in after', async () => {
    const { userId } = person
    const { store } = app.test
    let isIn = false
    const { signedIn } = await store.maintenance(async (tx) => {
      await updatePasswordHash(tx, userId, 'another')
      const answer = signIn(password).finally(() => {
        isIn = true
      })
      // The former one is right until this is committed; so it has to wait for that.
      const isDecided = async () => isIn || (await countWaiting()) > 0
      await expect.poll(isDecided, { timeout: 20_000 }).toBe(true)
      return { signedIn: answer }
    })
    expect(outcome(await signedIn)).toBe('invalid_credentials')
    expect(await app.test.asOwner('select from sessions where user_id = $1', [userId])).toEqual([])
  })
})

/** Counts what waits for a lock of this database. */
async function countWaiting(): Promise<number> {
  const rows = await app.test.asOwner(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}
