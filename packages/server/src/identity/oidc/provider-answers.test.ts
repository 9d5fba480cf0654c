import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, decodeJwt, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oidcClient, type Account } from '../testing/open-oidc-provider.ts'
import { openOidcApp, rejectionOf, type OidcApp, type Tamper } from './testing/open-oidc-app.ts'

let app: OidcApp
let keys: Awaited<ReturnType<typeof generateKeyPair>>
const account: Account = { sub: 'ada', email: 'ada@example.com', email_verified: true }
const eve: Account = { sub: 'eve', email: 'eve@example.com', email_verified: true }

beforeAll(async () => {
  app = await openOidcApp()
  keys = await generateKeyPair('RS256')
  await app.invite(account.email ?? '')
  await app.signIn(account)
})
afterAll(() => app.close())
beforeEach(() => {
  app.wire.tamper = undefined
})

const change = async (answer: Response, more: object) =>
  Response.json({ ...((await answer.json()) as object), ...more })

type Sign = (claims: JWTPayload) => Promise<string> | string

const withOurKey: Sign = (claims) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'ours' }).sign(keys.privateKey)

/** The provider's ID tokens and keys are replaced by others. */
function issue(changed: (claims: JWTPayload) => JWTPayload, sign: Sign = withOurKey): Tamper {
  return async (url, answer) => {
    if (url.pathname === '/jwks') {
      const key = { ...(await exportJWK(keys.publicKey)), kid: 'ours', alg: 'RS256', use: 'sig' }
      return Response.json({ keys: [key] })
    }
    if (url.pathname !== '/token') return answer
    const body = (await answer.json()) as { id_token: string }
    return Response.json({ ...body, id_token: await sign(changed(decodeJwt(body.id_token))) })
  }
}

/** Signs in at a node that has not read the provider's keys yet. */
async function signInWith(tamper: Tamper | undefined, as: Account = account) {
  const node = await app.openFresh()
  app.wire.tamper = tamper
  app.provider.account = as
  const begun = await node.call('GET /sign-in/oidc')
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const location = begun.headers.get('location') ?? ''
  if (location.startsWith('/login')) return rejectionOf(begun)
  const callback = 'http://127.0.0.1:4400/sign-in/oidc/callback'
  const back = await app.provider.openBrowser().visit(location, callback)
  const answer = await node.call(`GET ${back.pathname}${back.search}`, { headers: { cookie } })
  node.feed.close()
  return rejectionOf(answer)
}

const second = () => Math.floor(Date.now() / 1000)

describe('an ID token (OpenID Connect Core §3.1.3.7)', () => {
  it('control: is taken from the replaced keys when it says what the provider said', async () => {
    expect(await signInWith(issue((claims) => claims))).toBeUndefined()
  })

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['for another client', (claims) => ({ ...claims, aud: 'another' })],
    [
      'for several clients, given to another',
      (claims) => ({ ...claims, aud: ['signalbox', 'b'], azp: 'b' }),
    ],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.test' })],
    ['of another question', (claims) => ({ ...claims, nonce: 'x'.repeat(43) })],
    ['of no question', ({ nonce: _nonce, ...claims }) => claims],
    ['that has ended', (claims) => ({ ...claims, iat: second() - 7200, exp: second() - 3600 })],
    ['without an end', ({ exp: _exp, ...claims }) => claims],
    ['about nobody', ({ sub: _sub, ...claims }) => claims],
    ['about a subject with a NUL', (claims) => ({ ...claims, sub: 'ada\0' })],
  ])('is not taken %s', async (_name, changed) => {
    expect(await signInWith(issue(changed))).toBe('provider_response')
  })

  it.each<[string, Sign]>([
    ['that nobody signed', (claims) => new UnsecuredJWT(claims).encode()],
    [
      'signed with the secret of the client',
      (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(Buffer.from(oidcClient.clientSecret)),
    ],
    [
      'signed with a key that is not among those of the provider',
      async (claims) => {
        const { privateKey } = await generateKeyPair('RS256')
        return new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: 'ours' })
          .sign(privateKey)
      },
    ],
  ])('is not taken %s', async (_name, sign) => {
    expect(await signInWith(issue((claims) => claims, sign))).toBe('provider_response')
  })

  it('is not left out', async () => {
    const refused = await signInWith(async (url, answer) =>
      url.pathname === '/token' ? change(answer, { id_token: undefined }) : answer,
    )
    expect(refused).toBe('provider_response')
  })
})

describe('a profile', () => {
  it('of another subject than the ID token’s makes no account (better-auth 1.7.16, OpenID Connect Core §5.3.2)', async () => {
    await app.invite(eve.email ?? '')
    const refused = await signInWith(
      async (url, answer) =>
        url.pathname === '/me' ? Response.json({ ...eve, sub: 'eve' }) : answer,
      { sub: 'mallory' },
    )
    expect(refused).toBe('provider_response')
    expect(
      await app.test.asOwner(`select from users where email = $1`, [eve.email ?? '']),
    ).toHaveLength(0)
  })

  it('control: is taken when it is about the same subject', async () => {
    expect(
      await signInWith(
        async (url, answer) =>
          url.pathname === '/me' ? Response.json({ ...eve, sub: 'mallory' }) : answer,
        { sub: 'mallory' },
      ),
    ).toBeUndefined()
  })

  it('is not believed to have a verified address because it says so in words', async () => {
    const trudy = { sub: 'trudy', email: 'trudy@example.com', email_verified: true }
    await app.invite(trudy.email ?? '')
    const refused = await signInWith(
      async (url, answer) =>
        url.pathname === '/me' ? change(answer, { email_verified: 'true' }) : answer,
      trudy,
    )
    expect(refused).toBe('email_unverified')
  })
})

describe('the description of the provider (GHSA-5rr4-8452-hf4v)', () => {
  const describeAs =
    (more: object): Tamper =>
    async (url, answer) =>
      url.pathname === '/.well-known/openid-configuration' ? change(answer, more) : answer

  it('names no address of this network that the service then asks', async () => {
    let reached = 0
    const inside = createServer((_request, response) => {
      reached += 1
      response.end('{}')
    })
    await new Promise<void>((resolve) => {
      inside.listen(0, '127.0.0.2', resolve)
    })
    const address = inside.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    for (const host of [`127.0.0.2:${port}`, 'localhost:1', '169.254.169.254', '[::1]:1']) {
      for (const name of ['token_endpoint', 'jwks_uri']) {
        for (const protocol of ['http', 'https']) {
          const refused = await signInWith(describeAs({ [name]: `${protocol}://${host}/x` }))
          expect([host, name, refused]).toEqual([host, name, 'provider_unavailable'])
        }
      }
    }
    expect(reached).toBe(0)
    await new Promise((resolve) => {
      inside.close(resolve)
    })
  })

  it('is of the issuer that the settings name', async () => {
    expect(await signInWith(describeAs({ issuer: 'https://evil.test' }))).toBe('provider_response')
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])(
    'sends no browser to %s',
    async (authorization_endpoint) => {
      expect(await signInWith(describeAs({ authorization_endpoint }))).toBe('provider_response')
    },
  )

  it.each([
    [undefined, 'Basic'],
    [['client_secret_post', 'client_secret_basic'], 'Basic'],
    [['client_secret_post'], undefined],
  ])('that takes the secret by %j is sent it so', async (methods, scheme) => {
    const described = describeAs({ token_endpoint_auth_methods_supported: methods })
    const schemes: unknown[] = []
    const refused = await signInWith((url, answer, sent) => {
      if (url.pathname === '/token') schemes.push(sent.get('authorization')?.split(' ')[0])
      return described(url, answer, sent)
    })
    expect([refused, schemes]).toEqual([undefined, [scheme]])
  })

  it('is a document', async () => {
    const refused = await signInWith((url, answer) =>
      url.pathname === '/.well-known/openid-configuration'
        ? new Response('<h1>Welcome</h1>')
        : answer,
    )
    expect(refused).toBe('provider_response')
  })
})
