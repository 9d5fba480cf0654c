import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOpaqueToken } from '../crypto/opaque-tokens.ts'
import { newToken } from '../crypto/tokens.ts'
import { defaultRateLimits } from '../http/admission/rate-classes.ts'
import { createAuthenticate } from './authenticate.ts'
import { sessionCookie } from './sessions/session.ts'
import { bootstrapToken, openIdentityApp, type IdentityApp } from './testing/open-identity-app.ts'

let app: IdentityApp
let orgId: string

beforeAll(async () => {
  app = await openIdentityApp()
  orgId = await app.addOrganization('Acme')
})
afterAll(() => app.close())

const codeFor = async (authorization: string, headers = {}) => {
  const { body, status } = await app.call('GET /me', { headers: { authorization, ...headers } })
  return status === 200 ? body.type : body.code
}

describe('GET /me with credentials of each kind', () => {
  it('tells people, keys and the bootstrap token apart', async () => {
    const { token } = await app.addPerson('ada', { [orgId]: 'developer' })
    const { secret } = await app.addKey(orgId, { kind: 'b2m' })
    expect(await codeFor(`Bearer ${token}`)).toBe('user')
    expect(await codeFor(`bearer   ${secret} `)).toBe('api_key')
    expect(await codeFor(`Bearer ${bootstrapToken}`)).toBe('bootstrap')
  })

  it('says after how many days this server deletes deployments', async () => {
    const { token: as } = await app.addPerson('kim', { [orgId]: 'viewer' })
    const node = await app.openNode({ deploymentsKeptMs: 90 * 86_400_000 })
    expect((await node.ok('GET /me', { as })).body).toMatchObject({ deploymentsKeptDays: 90 })
    expect((await app.ok('GET /me', { as })).body).toMatchObject({ deploymentsKeptDays: null })
  })

  it('refuses what is none of them, and does not repeat it', async () => {
    const junk = [
      '',
      'Bearer',
      'Bearer ',
      'Basic dXNlcjpwYXNz',
      'Bearer a b',
      'Token x',
      'x',
      `Bearer ${newToken('m2m').token}`,
      `Bearer ${newToken('pat').token}`,
      'Bearer a.b.c',
      'Bearer ..',
      `Bearer ${'x'.repeat(5_000)}`,
      `Bearer ${bootstrapToken}x`,
      `Bearer ${bootstrapToken.slice(1)}`,
    ]
    for (const authorization of junk) {
      expect([authorization, await codeFor(authorization)]).toEqual([
        authorization,
        'invalid_credentials',
      ])
    }
    const { text, headers } = await app.call('GET /me', { as: 'canary-token' })
    expect(text).not.toContain('canary-token')
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  it('does not make a wrong token good by a cookie', async () => {
    const { token } = await app.addPerson('bob')
    expect(await codeFor('Bearer x', { cookie: `__Host-s=${token}` })).toBe('invalid_credentials')
  })
})

describe('the bootstrap token', () => {
  it('must have at least 32 characters, and none is accepted when it is not set', async () => {
    const deps = {
      store: app.test.store,
      verifier: {
        verifyApiKey: () => ({ outcome: 'invalid' as const }),
        verifyAccessToken: () => Promise.resolve({ outcome: 'invalid' as const }),
      },
      uses: app.uses,
      now: app.clock.now,
    }
    expect(() => createAuthenticate({ ...deps, bootstrapToken: 'x'.repeat(31) })).toThrow(
      'at least 32 characters',
    )
    const off = createAuthenticate({ ...deps, bootstrapToken: undefined })
    for (const given of ['undefined', 'null', bootstrapToken]) {
      await expect(
        off({ authorization: `Bearer ${given}`, cookie: undefined }),
      ).rejects.toMatchObject({ code: 'invalid_credentials' })
    }
  })
})

/** A test may take longer than a second, in which one more would be allowed. */
const withoutRefill = {
  ...defaultRateLimits,
  invalidCredentials: { ...defaultRateLimits.invalidCredentials, perSecond: 1e-6 },
}

describe('an address that sent many wrong credentials', () => {
  it('is refused before the next ones are looked at: 60 a minute, a /64 as one (CVE-2026-45364)', async () => {
    const node = await app.openNode({ rateLimits: withoutRefill })
    const { token } = await app.addPerson('carl')
    const from = (ip: string, as: string) =>
      node.call('GET /me', { as, headers: { 'x-forwarded-for': ip } })
    for (let i = 0; i < 60; i++) {
      const { body } = await from(`2001:db8:0:7::${i.toString(16)}`, newToken('pat').token)
      expect(body.code).toBe('invalid_credentials')
    }
    expect((await from('2001:db8:0:7:ffff::1', newToken('pat').token)).body.code).toBe(
      'rate_limited',
    )
    expect((await from('2001:db8:0:7::1', token)).body.code).toBe('rate_limited')
    expect((await from('2001:db8:0:8::1', token)).status).toBe(200)
  })

  it.each([
    ['cookies', () => ({ headers: { cookie: `${sessionCookie}=${newOpaqueToken().token}` } })],
    ['agents', () => ({ as: newToken('agt').token })],
  ])('is refused before the next one is looked up after 60 of %s as well', async (of, wrong) => {
    const node = await app.openNode({ rateLimits: withoutRefill })
    const { token } = await app.addPerson(`beside-${of}`)
    for (let i = 0; i < 60; i++) await node.call('GET /me', wrong())
    expect((await node.call('GET /me', { as: token })).body.code).toBe('rate_limited')
  })

  it('keeps its right keys, its tokens made from them, and whoever was known before', async () => {
    const node = await app.openNode({ rateLimits: withoutRefill })
    const { token } = await app.addPerson('cleo')
    const key = await app.addKey(orgId)
    expect((await node.call('GET /me', { as: token })).status).toBe(200)
    for (const kind of ['pat', 'm2m'] as const) {
      for (let i = 0; i < 65; i++) await node.call('GET /me', { as: newToken(kind).token })
      expect((await node.call('GET /me', { as: newToken(kind).token })).status).toBe(429)
    }
    await node.feed.refresh()
    expect((await node.call('GET /me', { as: key.secret })).status).toBe(200)
    expect((await node.call('GET /me', { as: token })).status).toBe(200)
    const grant = { grant_type: 'client_credentials', client_id: key.id, client_secret: key.secret }
    const exchanged = await node.call('POST /oauth/token', { body: grant })
    expect(exchanged.status).toBe(200)
    expect((await node.call('GET /me', { as: exchanged.body.access_token })).status).toBe(200)
  })
})

describe('junk tokens', () => {
  it('cost no query', async () => {
    let queries = 0
    const authenticate = createAuthenticate({
      store: {
        transaction: () => {
          queries += 1
          return Promise.reject(new Error('asked the database'))
        },
        maintenance: () => {
          queries += 1
          return Promise.reject(new Error('asked the database'))
        },
      },
      verifier: {
        verifyApiKey: () => ({ outcome: 'invalid' }),
        verifyAccessToken: () => Promise.resolve({ outcome: 'invalid' }),
      },
      uses: app.uses,
      bootstrapToken,
      now: app.clock.now,
    })
    const pat = newToken('pat').token
    for (const token of [`${pat.slice(0, -1)}!`, pat.slice(1), newToken('b2m').token, 'a.b.c']) {
      await expect(
        authenticate({ authorization: `Bearer ${token}`, cookie: '__Host-s=junk' }),
      ).rejects.toMatchObject({ code: 'invalid_credentials' })
    }
    await expect(
      authenticate({ authorization: undefined, cookie: '__Host-s=junk' }),
    ).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(queries).toBe(0)
    await expect(
      authenticate({ authorization: `Bearer ${pat}`, cookie: undefined }),
    ).rejects.toThrow('asked the database')
  })
})
