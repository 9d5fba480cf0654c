import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import {
  bootstrapToken,
  cookieOf,
  fromOwnPage,
  openIdentityApp,
  password,
  type Answer,
  type IdentityApp,
  type IdentityNode,
} from '../testing/open-identity-app.ts'

type Node = Pick<IdentityNode, 'call'>

let app: IdentityApp
let person: Awaited<ReturnType<IdentityApp['addPerson']>>
let email: string
let people = 0

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

const outcome = ({ status, body }: Answer) => body?.code ?? status
const sorted = (answers: readonly Answer[]) => answers.map((each) => String(outcome(each))).sort()
const begin = (headers: Record<string, string>) => app.call('POST /me/second-factor', { headers })
const confirm = (headers: Record<string, string>, code: string) =>
  app.call('POST /me/second-factor/confirm', { headers, body: { code } })
const remove = (headers: Record<string, string>) =>
  app.call('DELETE /me/second-factor', { headers })
const signIn = (code?: string, node: Node = app, typed = password) =>
  node.call('POST /sessions', {
    body: { email, password: typed, ...(code !== undefined && { code }) },
  })
const me = (headers: Record<string, string>) => app.call('GET /me', { headers })
const nextPeriod = () => app.clock.advance(30_000)
const sessions = () => app.test.asOwner('select from sessions where user_id = $1', [person.userId])

interface Authenticator {
  readonly secret: string
  /** The code of this moment. */
  readonly code: () => string
}

function authenticatorOf(uri: string): Authenticator {
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return {
    secret,
    code: () => TOTP.generate({ secret: secretOf(uri), timestamp: app.clock.now().getTime() }),
  }
}

const secretOf = (uri: string) =>
  new TOTP({ secret: new URL(uri).searchParams.get('secret') ?? '' }).secret

/** Turns the second factor of the person on, from a browser which then has the session that it got for it. */
async function turnOn() {
  const before = await app.openBrowser(person.userId)
  const authenticator = authenticatorOf((await begin(before)).body.uri)
  const answer = await confirm(before, authenticator.code())
  if (answer.status !== 200) throw new Error(answer.text)
  nextPeriod()
  const recoveryCodes: string[] = answer.body.recoveryCodes
  return { before, authenticator, recoveryCodes, browser: fromOwnPage(cookieOf(answer)) }
}

describe('POST /me/second-factor', () => {
  it('changes nothing until a code was given, and then asks for codes, with one event each', async () => {
    const browser = await app.openBrowser(person.userId)
    let begun = await me(browser)
    await expectOneEvent(app.test, 'second_factor.begun', async () => {
      begun = await begin(browser)
    })
    expect(begun.status).toBe(201)
    expect(new URL(begun.body.uri).searchParams.get('issuer')).toBe('Signalbox (127.0.0.1:4400)')
    expect((await me(browser)).body.secondFactor).toEqual({ on: false, recoveryCodesLeft: 0 })
    expect((await signIn()).status).toBe(201)
    const { code } = authenticatorOf(begun.body.uri)
    const event = await expectOneEvent(app.test, 'second_factor.enabled', async () => {
      const answer = await confirm(browser, code())
      expect(answer.body.recoveryCodes).toHaveLength(10)
      const own = fromOwnPage(cookieOf(answer))
      expect((await me(own)).body.secondFactor).toEqual({ on: true, recoveryCodesLeft: 10 })
    })
    expect(JSON.stringify(event)).not.toContain(code())
    expect(outcome(await signIn())).toBe('second_factor_required')
  })

  it('stores the secret sealed for its place, and recovery codes as hashes', async () => {
    const { authenticator, recoveryCodes } = await turnOn()
    const rows = await app.test.asOwner<{ sealed: Buffer; text: string }>(
      `select sealed, t::text as text from second_factors t where user_id = $1`,
      [person.userId],
    )
    const raw = secretOf(`otpauth://totp/x?secret=${authenticator.secret}`)
    expect(rows[0]?.sealed.includes(Buffer.from(raw.bytes))).toBe(false)
    expect(rows[0]?.text).not.toContain(raw.hex.toLowerCase())
    const codes = await app.test.asOwner('select t::text from recovery_codes t')
    for (const code of recoveryCodes) expect(JSON.stringify(codes)).not.toContain(code)
    // Under the row of somebody else it opens nothing.
    const other = await app.addPerson(`other${people}`)
    await app.setPassword(other.userId)
    await app.test.asOwner(
      `insert into second_factors select $2, sealed, created_at, confirmed_at from second_factors where user_id = $1`,
      [person.userId, other.userId],
    )
    const body = { email: `other${people}@example.com`, password, code: authenticator.code() }
    expect((await app.call('POST /sessions', { body })).status).toBe(500)
  })

  it('shows neither the secret nor the recovery codes to a repeat', async () => {
    const browser = await app.openBrowser(person.userId)
    const headers = { ...browser, 'idempotency-key': `begin-${people}` }
    const { code } = authenticatorOf((await begin(headers)).body.uri)
    expect(Object.keys((await begin(headers)).body)).toEqual(['expiresAt'])
    const first = await confirm({ ...browser, 'idempotency-key': 'confirm' }, code())
    expect(first.status).toBe(200)
    const stored = await app.test.asOwner('select body::text from idempotency_keys')
    expect(JSON.stringify(stored)).not.toContain(first.body.recoveryCodes[0])
  })

  it('waits ten minutes for a right code, and is begun anew as often as it takes', async () => {
    const browser = await app.openBrowser(person.userId)
    expect(outcome(await confirm(browser, '123456'))).toBe('conflict')
    const former = authenticatorOf((await begin(browser)).body.uri)
    const { code } = authenticatorOf((await begin(browser)).body.uri)
    const wrong = await confirm(browser, former.code())
    expect([outcome(wrong), wrong.body.errors[0].pointer]).toEqual(['validation_failed', '/code'])
    app.clock.advance(10 * 60_000 + 1)
    expect(outcome(await confirm(browser, code()))).toBe('conflict')
    expect((await signIn()).status).toBe(201)
  })

  it('is neither replaced nor turned off without step-up, and not replaced while it is on', async () => {
    const { browser } = await turnOn()
    expect(outcome(await begin(browser))).toBe('conflict')
    app.clock.advance(11 * 60_000)
    expect(outcome(await remove(browser))).toBe('step_up_required')
    expect(outcome(await begin(browser))).toBe('step_up_required')
  })
})

describe('a sign-in with a second factor', () => {
  it('opens no session by the password alone, nor leaves one from before (GHSA-xg6x-h9c9-2m83)', async () => {
    const earlier = await app.openBrowser(person.userId)
    const { before, authenticator } = await turnOn()
    for (const headers of [earlier, before]) {
      expect((await me(headers)).status).toBe(401)
    }
    const open = (await sessions()).length
    const event = await expectOneEvent(app.test, 'auth.second_factor_asked', async () => {
      const asked = await signIn()
      expect([asked.status, asked.body.code]).toEqual([401, 'second_factor_required'])
      expect(asked.headers.get('set-cookie')).toBeNull()
    })
    expect(event.target).toMatchObject({ id: person.userId })
    expect((await sessions()).length).toBe(open)
    const login = await expectOneEvent(app.test, 'auth.login', async () => {
      const answer = await signIn(authenticator.code())
      expect(answer.status).toBe(201)
      expect((await me({ cookie: cookieOf(answer) })).status).toBe(200)
    })
    expect(login.detail).toEqual({ secondFactor: 'code' })
  })

  it('tells nobody who does not know the password that there is one', async () => {
    const { authenticator } = await turnOn()
    const wrong = await signIn(undefined, app, 'wrong password')
    const withCode = await signIn(authenticator.code(), app, 'wrong password')
    const unknown = await app.call('POST /sessions', {
      body: { email: 'nobody@example.com', password, code: '123456' },
    })
    const shown = [wrong, withCode, unknown].map(({ status, body }) => ({
      status,
      ...body,
      instance: '',
    }))
    expect(shown[0]).toMatchObject({ status: 401, code: 'invalid_credentials' })
    expect(shown[1]).toEqual(shown[0])
    expect(shown[2]).toEqual(shown[0])
    // The code was not used up by it.
    app.clock.advance(60_000)
    expect((await signIn(authenticator.code())).status).toBe(201)
  })

  it('accepts a code once, also when two nodes get it at the same moment', async () => {
    const { authenticator } = await turnOn()
    const other = await app.openNode()
    for (let round = 0; round < 3; round++) {
      const code = authenticator.code()
      const answers = await Promise.all([signIn(code), signIn(code, other)])
      expect(sorted(answers)).toEqual(['201', 'invalid_credentials'])
      expect(outcome(await signIn(code))).toBe('invalid_credentials')
      nextPeriod()
      nextPeriod()
      expect((await signIn(authenticator.code())).status).toBe(201)
      nextPeriod()
    }
  })

  it('takes no code of before the last one, nor the one that turned it on', async () => {
    const browser = await app.openBrowser(person.userId)
    const { code } = authenticatorOf((await begin(browser)).body.uri)
    const first = code()
    expect((await confirm(browser, first)).status).toBe(200)
    expect(outcome(await signIn(first))).toBe('invalid_credentials')
    nextPeriod()
    const older = code()
    nextPeriod()
    expect((await signIn(code())).status).toBe(201)
    expect(outcome(await signIn(older))).toBe('invalid_credentials')
  })

  it('accepts each recovery code once, also when two nodes get it at the same moment', async () => {
    const { recoveryCodes, browser } = await turnOn()
    const other = await app.openNode()
    const [first = '', second = ''] = recoveryCodes
    const login = await expectOneEvent(app.test, 'auth.login', () => signIn(first))
    expect(login.detail).toEqual({ secondFactor: 'recovery_code' })
    expect(outcome(await signIn(first))).toBe('invalid_credentials')
    const answers = await Promise.all([signIn(second), signIn(second, other)])
    expect(sorted(answers)).toEqual(['201', 'invalid_credentials'])
    expect((await me(browser)).body.secondFactor).toEqual({ on: true, recoveryCodesLeft: 8 })
  })

  it('makes whoever guesses codes wait, at all nodes together, and nobody who has a recovery code', async () => {
    const { authenticator, recoveryCodes } = await turnOn()
    // Each from a node that has seen no failure yet.
    const signInAnew = async (code: string | undefined) => signIn(code, await app.openNode())
    for (let i = 0; i < 3; i++) await signInAnew('000000')
    const where = 'where user_id = $1'
    const counted = await app.test.asOwner(`select failures from second_factors ${where}`, [
      person.userId,
    ])
    expect(counted).toEqual([{ failures: 3 }])
    await app.test.asOwner(`update second_factors set failures = 9 ${where}`, [person.userId])
    const refused = await signInAnew(authenticator.code())
    expect(refused.body.code).toBe('rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(10)
    expect((await signInAnew(recoveryCodes[0])).status).toBe(201)
    expect((await signInAnew(authenticator.code())).status).toBe(201)
  })

  it('forgives no wrong code for a right password that came alone', async () => {
    await turnOn()
    const moment = app.clock.now()
    const node = await app.openNode({ now: () => moment })
    const outcomes: unknown[] = []
    for (let i = 0; i < 5; i++) {
      // Counted by each node as well, which is what is asked for here.
      await app.test.asOwner('update second_factors set failures = 0')
      outcomes.push(outcome(await signIn('000000', node)))
      if (i < 4) await signIn(undefined, node)
    }
    expect(outcomes).toEqual([...Array<string>(4).fill('invalid_credentials'), 'rate_limited'])
  })
})

describe('a step-up with a second factor', () => {
  const stepUp = (headers: Record<string, string>, code?: string) =>
    app.call('POST /sessions/current/confirm', {
      headers,
      body: { password, ...(code !== undefined && { code }) },
    })

  it('asks for a code, without which nothing that needs it is done', async () => {
    const { browser, authenticator } = await turnOn()
    app.clock.advance(11 * 60_000)
    const makeToken = () => app.call('POST /me/tokens', { headers: browser, body: { name: 't' } })
    expect(outcome(await makeToken())).toBe('step_up_required')
    expect(outcome(await stepUp(browser))).toBe('second_factor_required')
    expect(outcome(await stepUp(browser, '000000'))).toBe('invalid_credentials')
    expect(outcome(await makeToken())).toBe('step_up_required')
    expect(outcome(await stepUp(browser, authenticator.code()))).toBe(204)
    expect(outcome(await makeToken())).toBe(201)
  })

  it('turns it off, with its recovery codes and one event', async () => {
    const { browser, recoveryCodes } = await turnOn()
    await expectOneEvent(app.test, 'second_factor.disabled', async () => {
      expect(outcome(await remove(browser))).toBe(204)
    })
    expect((await me(browser)).body.secondFactor).toEqual({ on: false, recoveryCodesLeft: 0 })
    expect((await signIn()).status).toBe(201)
    expect((await signIn(recoveryCodes[0])).status).toBe(201)
    await expectNoEvent(app.test, async () => {
      expect(outcome(await remove(browser))).toBe('not_found')
    })
    const left = await app.test.asOwner('select from recovery_codes where user_id = $1', [
      person.userId,
    ])
    expect(left).toEqual([])
  })
})

describe('GET /me', () => {
  it('says nothing of second factors to credentials that are no person’s', async () => {
    expect((await app.ok('GET /me', { as: bootstrapToken })).body.secondFactor).toBeNull()
  })
})
