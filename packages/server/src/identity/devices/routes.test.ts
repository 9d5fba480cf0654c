import { cliClientId, deviceGrantType } from '@signalbox/contract/rest'
import { limits } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { newToken } from '../../crypto/tokens.ts'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import {
  bootstrapToken,
  openIdentityApp,
  password,
  type IdentityApp,
  type IdentityNode,
} from '../testing/open-identity-app.ts'

type Node = Pick<IdentityNode, 'call'>
interface Person {
  readonly userId: string
  readonly token: string
  browser: Record<string, string>
}

let app: IdentityApp
let ada: Person
let bob: Person

beforeAll(async () => {
  app = await openIdentityApp()
  ada = { ...(await app.addPerson('ada')), browser: {} }
  bob = { ...(await app.addPerson('bob')), browser: {} }
})
afterAll(() => app.close())
beforeEach(async () => {
  for (const person of [ada, bob]) person.browser = await app.openBrowser(person.userId)
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function request(name = 'ada-laptop', node: Node = app) {
  const raw = new URLSearchParams({ client_id: cliClientId, device_name: name }).toString()
  const answer = await node.call('POST /oauth/device_authorization', { raw, headers: form })
  expect(answer.status).toBe(200)
  return { deviceCode: answer.body.device_code, userCode: answer.body.user_code, ...answer }
}

const poll = (deviceCode: string, node: Node = app, clientId = cliClientId) =>
  node.call('POST /oauth/token', {
    body: { grant_type: deviceGrantType, client_id: clientId, device_code: deviceCode },
  })

const ask =
  (verb: 'claim' | 'approve' | 'deny') =>
  (userCode: string, person: Person, node: Node = app) =>
    node.call(`POST /device/${verb}`, { body: { userCode }, headers: person.browser })
const claim = ask('claim')
const approve = ask('approve')
const deny = ask('deny')

/** Everything of a rejection but what differs between any two requests. */
const shown = ({ status, body }: { status: number; body: object }) => ({
  ...body,
  status,
  instance: '',
})

describe('a device that asks to be let in (RFC 8628)', () => {
  it('gets a token of the person who claims and approves its code, once', async () => {
    const { deviceCode, userCode, body, headers } = await request()
    expect(userCode).toMatch(/^[B-Z]{4}-[B-Z]{4}$/)
    expect(body).toMatchObject({
      verification_uri: 'http://127.0.0.1:4400/device',
      verification_uri_complete: `http://127.0.0.1:4400/device?user_code=${userCode}`,
      expires_in: 600,
      interval: 5,
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await poll(deviceCode)).body.error).toBe('authorization_pending')

    const claimed = await claim(userCode.toLowerCase().replace('-', ' '), ada)
    expect(claimed.body).toMatchObject({ userCode, deviceName: 'ada-laptop', ip: '127.0.0.1' })
    app.clock.advance(5_000)
    expect((await poll(deviceCode)).body.error).toBe('authorization_pending')
    const event = await expectOneEvent(app.test, 'auth.device_approved', () =>
      approve(userCode, ada),
    )
    expect(event).toMatchObject({ actor: { id: ada.userId }, target: { name: 'ada-laptop' } })

    const made = await expectOneEvent(app.test, 'token.created', async () => {
      const given = await poll(deviceCode)
      expect(given.body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 90 * 24 * 60 * 60,
      })
      const me = await app.call('GET /me', { as: given.body.access_token })
      expect(me.body).toMatchObject({ id: ada.userId })
      return given
    })
    expect(made).toMatchObject({
      actor: { id: ada.userId, name: 'ada' },
      target: { name: 'signalbox login on ada-laptop' },
    })
    expect(shown(await poll(deviceCode))).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  it('may ask with JSON, and without a name', async () => {
    const asked = await app.call('POST /oauth/device_authorization', {
      body: { client_id: cliClientId },
    })
    const claimed = await claim(asked.body.user_code, ada)
    expect(claimed.body.deviceName).toBe('an unnamed device')
  })

  it.each(['a\u0000b', 'a\nb', '\u202Egpj.exe', 'a\u2028b', 'x'.repeat(61)])(
    'is not called %j, which a person could not read for what it is',
    async (device_name) => {
      const body = { client_id: cliClientId, device_name }
      const refused = await app.call('POST /oauth/device_authorization', { body })
      expect(shown(refused)).toMatchObject({ status: 400, error: 'invalid_request' })
    },
  )

  it('is the command line and nobody else', async () => {
    const body = { client_id: 'another' }
    const refused = await app.call('POST /oauth/device_authorization', { body })
    expect(shown(refused)).toMatchObject({ status: 401, error: 'invalid_client' })
    const { deviceCode } = await request()
    expect((await poll(deviceCode, app, 'another')).body.error).toBe('invalid_client')
  })

  it('leaves neither of its codes in the database', async () => {
    const { deviceCode, userCode } = await request()
    const rows = await app.test.asOwner(
      `select t::text, encode(user_code_hash, 'escape') as u from device_authorizations t`,
    )
    const dump = JSON.stringify(rows)
    for (const secret of [deviceCode, userCode, userCode.replace('-', '')]) {
      expect(dump).not.toContain(secret)
    }
  })

  it('is told when it is refused', async () => {
    const { deviceCode, userCode } = await request()
    await claim(userCode, ada)
    await expectOneEvent(app.test, 'auth.device_denied', () => deny(userCode, ada))
    expect((await poll(deviceCode)).body.error).toBe('access_denied')
    expect((await approve(userCode, ada)).status).toBe(404)
    expect((await poll(deviceCode)).body.error).toBe('access_denied')
  })

  it('is told when ten minutes are over, and a late yes helps nobody', async () => {
    const { deviceCode, userCode } = await request()
    await claim(userCode, ada)
    app.clock.advance(599_000)
    expect((await poll(deviceCode)).body.error).toBe('authorization_pending')
    app.clock.advance(2_000)
    const browser = await app.openBrowser(ada.userId)
    expect((await approve(userCode, { ...ada, browser })).status).toBe(404)
    expect((await claim(userCode, { ...ada, browser })).status).toBe(404)
    expect((await poll(deviceCode)).body.error).toBe('expired_token')
  })

  it('gets no token after the ten minutes although it was let in', async () => {
    const { deviceCode, userCode } = await request()
    await claim(userCode, ada)
    await approve(userCode, ada)
    app.clock.advance(601_000)
    expect((await poll(deviceCode)).body.error).toBe('expired_token')
  })

  it('gets no token once the person has ended a session, or changed what sessions are opened by', async () => {
    await app.setPassword(ada.userId)
    const lost = await app.openBrowser(ada.userId)
    const lostId = async () => {
      const { items } = (await app.ok('GET /sessions', { headers: lost })).body
      return items.find(({ current }: { current: boolean }) => current).id
    }
    const newPassword = 'another long passphrase'
    const ways: [string, object?][] = [
      [`DELETE /sessions/${await lostId()}`],
      ['DELETE /sessions'],
      ['PUT /me/password', { currentPassword: password, newPassword }],
    ]
    for (const [way, body] of ways) {
      const { deviceCode, userCode } = await request()
      await claim(userCode, ada)
      expect((await approve(userCode, ada)).status).toBe(204)
      const headers = ada.browser
      expect([way, (await app.call(way, { headers, ...(body && { body }) })).status]).toEqual([
        way,
        204,
      ])
      expect([way, (await poll(deviceCode)).body.error]).toEqual([way, 'access_denied'])
    }
  })

  it('is slowed down by five seconds each time that it asks too early (RFC 8628 §3.5)', async () => {
    const { deviceCode } = await request()
    const errors: string[] = []
    for (const waitedMs of [0, 1_000, 5_000, 9_000, 15_000, 25_000]) {
      app.clock.advance(waitedMs)
      errors.push((await poll(deviceCode)).body.error)
    }
    const [early, pending] = ['slow_down', 'authorization_pending']
    // 5 s at first, and 25 after four that came early.
    expect(errors).toEqual([pending, early, early, early, early, pending])
  })
})

describe('a code that somebody guesses or is sent (GHSA-cq3f-vc6p-68fh, CVE-2026-45337)', () => {
  it('is the one person’s who looked at it first: another finds what they would find for none', async () => {
    const { deviceCode, userCode } = await request()
    await claim(userCode, ada)
    const none = await claim('BBBB-BBBB', bob)
    expect(none.status).toBe(404)
    for (const verb of [claim, approve, deny]) {
      expect(shown(await verb(userCode, bob))).toEqual(shown(none))
    }
    expect((await poll(deviceCode)).body.error).toBe('authorization_pending')
    expect((await claim(userCode, ada)).status).toBe(200)
  })

  it('goes to exactly one of two people who look at it at once, at two nodes', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, other] = [await app.openNode(), await app.openNode()]
      const { userCode } = await request()
      const answers = await Promise.all([claim(userCode, ada, one), claim(userCode, bob, other)])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]))
      for (const node of [one, other]) node.feed.close()
    }
  })

  it('is not approved by anybody before it was looked at: an owner who is unset lets nobody in', async () => {
    const { deviceCode, userCode } = await request()
    expect((await approve(userCode, ada)).status).toBe(404)
    expect((await poll(deviceCode)).body.error).toBe('authorization_pending')
    const decide = app.test.asOwner(
      `update device_authorizations set decision = 'approved' where user_id is null`,
    )
    await expect(decide).rejects.toThrow(/check/)
  })

  it('is approved by no program: not without credentials, not with a token, not with the bootstrap token', async () => {
    const { deviceCode, userCode } = await request()
    await claim(userCode, ada)
    await expectNoEvent(app.test, async () => {
      for (const verb of ['claim', 'approve', 'deny']) {
        const path = `POST /device/${verb}`
        expect((await app.call(path, { body: { userCode } })).status).toBe(401)
        const codes: string[] = []
        for (const as of [ada.token, bootstrapToken]) {
          codes.push((await app.call(path, { as, body: { userCode } })).body.code)
        }
        expect(codes).toEqual(['session_required', 'role_forbidden'])
      }
    })
    expect((await poll(deviceCode)).body.error).toBe('authorization_pending')
  })

  it('is approved by nobody who finds the browser open, and by no page of another site', async () => {
    const { userCode } = await request()
    await claim(userCode, ada)
    app.clock.advance(601_000)
    const { userCode: later } = await request()
    await claim(later, ada)
    expect((await approve(later, ada)).body.code).toBe('step_up_required')
    const fresh = await app.openBrowser(ada.userId)
    const foreign = { ...fresh, 'sec-fetch-site': 'cross-site' }
    expect((await approve(later, { ...ada, browser: foreign })).body.code).toBe('csrf_failed')
  })

  it('slows whoever guesses down, also when they guess right, and nobody else', async () => {
    const node = await app.openNode()
    const { userCode } = await request()
    const statuses: number[] = []
    for (const guess of ['BBBB-BBBB', 'CCCC-CCCC', 'aaaa', '', 'DDDD-DDDD']) {
      statuses.push((await claim(guess === '' ? 'X' : guess, ada, node)).status)
    }
    expect(statuses).toEqual([404, 404, 404, 404, 429])
    const refused = await claim(userCode, ada, node)
    expect(refused.body.code).toBe('rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await claim(userCode, bob, node)).status).toBe(200)
    app.clock.advance(61_000)
    expect((await claim('BBBB-BBBB', ada, node)).status).toBe(404)
    node.feed.close()
  })

  it('counts against the allowance of signing in, whoever asks from that address', async () => {
    const signIn = { perSecond: 0.001, burst: 4 }
    const node = await app.openNode({ rateLimits: { ...defaultRateLimits, signIn } })
    const statuses: number[] = []
    for (const person of [ada, bob, ada, bob, ada]) {
      statuses.push((await claim('BBBB-BBBB', person, node)).status)
    }
    expect(statuses).toEqual([404, 404, 404, 404, 429])
    const body = { client_id: cliClientId }
    const asked = await node.call('POST /oauth/device_authorization', { body })
    expect(asked.status).toBe(429)
    node.feed.close()
  })
})

describe('a device code', () => {
  it('gives one token to all who ask at once, at two nodes', async () => {
    const other = await app.openNode()
    for (let round = 0; round < 5; round++) {
      const { deviceCode, userCode } = await request()
      await claim(userCode, ada)
      await approve(userCode, ada)
      const nodes = [app, other, app, other]
      const answers = await Promise.all(nodes.map((node) => poll(deviceCode, node)))
      const errors = answers.map(({ body }) => body.error)
      expect(errors.filter((error) => error === undefined)).toHaveLength(1)
      expect(errors.filter((error) => error === 'invalid_grant')).toHaveLength(3)
    }
    other.feed.close()
  })

  it('that is none is refused, and counted against whoever guesses', async () => {
    const invalidCredentials = { perSecond: 0.001, burst: 3 }
    const node = await app.openNode({ rateLimits: { ...defaultRateLimits, invalidCredentials } })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await poll('x'.repeat(43), node)).status)
    expect(statuses).toEqual([400, 400, 400, 429])
    node.feed.close()
  })

  it('is not let in by a person who has as many tokens as they may', async () => {
    const eve = await app.addPerson('eve')
    for (let i = 1; i < limits.tokensPerUser; i++) {
      const { handle, hash } = newToken('pat')
      await app.test.asOwner(
        `insert into personal_access_tokens (id, user_id, name, handle, hash) values ($1, $2, 't', $3, $4)`,
        [`key_${i}_${eve.userId}`, eve.userId, handle, hash],
      )
    }
    const person = { ...eve, browser: await app.openBrowser(eve.userId) }
    const { deviceCode, userCode } = await request()
    await claim(userCode, person)
    expect((await approve(userCode, person)).body.code).toBe('quota_exceeded')
    // Nothing was decided: they revoke one, and try again.
    expect((await poll(deviceCode)).body.error).toBe('authorization_pending')
  })
})
