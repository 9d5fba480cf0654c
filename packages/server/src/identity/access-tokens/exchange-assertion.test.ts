import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress } from '../../egress/create-egress.ts'
import { bootstrapToken, openIdentityApp, type IdentityApp } from '../testing/open-identity-app.ts'

const audience = 'http://127.0.0.1:4400'
const subject = 'system:serviceaccount:shop:web'
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

interface SigningPair {
  readonly privateKey: KeyObject
  readonly jwk: Record<string, unknown>
}

const makePair = (kid: string): SigningPair => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256' } }
}

let app: IdentityApp
let orgId: string
let issuer: string
let server: Server
const requests: string[] = []
const cluster = makePair('cluster')
const foreign = makePair('foreign')
let published: () => unknown
/** In place of the published keys. `undefined`: the connection is cut. */
let keysText: (() => string | undefined) | undefined

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (request.url === '/jwks' && keysText !== undefined) {
      const text = keysText()
      return text === undefined ? request.socket.destroy() : response.end(text)
    }
    const body =
      request.url === '/jwks' ? { keys: [cluster.jwk] } : (published() as Record<string, unknown>)
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  published = () => ({ issuer, jwks_uri: `${issuer}/jwks` })
  app = await openIdentityApp({ egress: createEgress({ allow: ['127.0.0.1'] }) })
  orgId = await app.addOrganization('Acme')
})
afterAll(async () => {
  await app.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

interface Claims {
  readonly iss?: string
  readonly sub?: string
  readonly aud?: string
  readonly expiresIn?: number
  readonly by?: SigningPair
}

const sign = ({
  iss = issuer,
  sub = subject,
  aud = audience,
  expiresIn = 600,
  by = cluster,
}: Claims = {}) => {
  const now = Math.floor(app.clock.now().getTime() / 1000)
  return new SignJWT({ 'kubernetes.io': { namespace: 'shop' } })
    .setProtectedHeader({ alg: 'RS256', kid: String(by.jwk['kid']) })
    .setIssuer(iss)
    .setSubject(sub)
    .setAudience(aud)
    .setIssuedAt(now - 10)
    .setExpirationTime(now + expiresIn)
    .sign(by.privateKey)
}
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const exchange = (clientId: string, assertion: string, from = '127.0.0.1') =>
  app.call('POST /oauth/token', {
    raw: new URLSearchParams({ grant_type: grantType, client_id: clientId, assertion }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
  })
const pinned = (more: object = {}) => ({ issuer, namespace: 'shop', name: 'web', ...more })
const addKey = (accounts: readonly object[] = [pinned()]) =>
  app.addKey(orgId, { serviceAccounts: accounts })

describe('the token of a Kubernetes service account', () => {
  it('is exchanged for an access token of the key that it is pinned to, and of no other', async () => {
    const key = await addKey()
    const { status, body, headers } = await exchange(key.id, await sign())
    expect([status, body]).toMatchObject([200, { token_type: 'Bearer', expires_in: 900 }])
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await app.ok('GET /me', { as: body.access_token })).body).toMatchObject({
      type: 'api_key',
      id: key.id,
    })
    const other = await addKey([pinned({ name: 'worker' })])
    const without = await app.addKey(orgId)
    for (const id of [other.id, without.id, 'key_absent']) {
      const refused = await exchange(id, await sign())
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant'])
    }
  })

  it('is exchanged in the networks of the key alone', async () => {
    const { id } = await app.addKey(orgId, {
      serviceAccounts: [pinned()],
      allowedNetworks: ['203.0.113.0/24'],
    })
    expect((await exchange(id, await sign(), '203.0.113.9')).status).toBe(200)
    const refused = await exchange(id, await sign(), '198.51.100.1')
    expect([refused.status, refused.body.error]).toEqual([400, 'unauthorized_client'])
    expect(refused.body.error_description).toContain('198.51.100.1')
  })

  it('is refused when anything about it is wrong', async () => {
    const key = await addKey()
    const now = Math.floor(app.clock.now().getTime() / 1000)
    const claims = { iss: issuer, sub: subject, aud: audience, iat: now - 10, exp: now + 600 }
    const hs = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'cluster' })
      .sign(new TextEncoder().encode(String(cluster.jwk['n'])))
    const right = await sign()
    const endless = await new SignJWT({ iss: issuer, sub: subject, aud: audience, iat: now })
      .setProtectedHeader({ alg: 'RS256', kid: 'cluster' })
      .sign(cluster.privateKey)
    const signWith = (times: object) =>
      new SignJWT({ ...claims, ...times })
        .setProtectedHeader({ alg: 'RS256', kid: 'cluster' })
        .sign(cluster.privateKey)
    const wrong: Readonly<Record<string, string>> = {
      namespace: await sign({ sub: 'system:serviceaccount:other:web' }),
      account: await sign({ sub: 'system:serviceaccount:shop:webx' }),
      'no service account': await sign({ sub: 'system:node:shop:web' }),
      issuer: await sign({ iss: 'https://other.example.com' }),
      audience: await sign({ aud: 'https://kubernetes.default.svc' }),
      expired: await sign({ expiresIn: -60 }),
      'without an end': endless,
      'of tomorrow': await signWith({ iat: now + 3600, exp: now + 7200 }),
      'valid for a month': await signWith({ iat: now, exp: now + 30 * 86_400 }),
      'signed by another': await sign({ by: foreign }),
      'signed by another under the same name': await sign({
        by: { ...foreign, jwk: { kid: 'cluster' } },
      }),
      'alg none': `${encode({ alg: 'none' })}.${encode(claims)}.`,
      'alg HS256': hs,
      'a changed body': right.replace(/\.[^.]+\./, `.${encode({ ...claims, exp: now + 9e6 })}.`),
      'no token': 'x',
      'too long': `${right}${'A'.repeat(17_000)}`,
    }
    for (const [what, assertion] of Object.entries(wrong)) {
      const { status, body } = await exchange(key.id, assertion)
      expect([what, status, body.error]).toEqual([what, 400, 'invalid_grant'])
    }
    // Without a signed token nobody learns which service account a key is pinned to.
    const saidOf = async (id: string, assertion = '') =>
      (await exchange(id, assertion)).body.error_description
    const unsigned = await saidOf(key.id, wrong['alg none'])
    expect(await saidOf(key.id, wrong['signed by another'])).toBe(unsigned)
    expect(await saidOf(key.id, wrong['namespace'])).toBe(unsigned)
    expect(await saidOf('key_absent', right)).toBe(unsigned)
    expect((await exchange(key.id, wrong['audience'] ?? '')).body.error_description).toContain(
      audience,
    )
    expect(await saidOf(key.id, wrong['of tomorrow'])).toContain('clocks')
    expect(await saidOf(key.id, wrong['valid for a month'])).toContain('expirationSeconds')
    expect((await exchange(key.id, right)).status).toBe(200)
    const aDay = await signWith({ iat: now, exp: now + 86_400 })
    expect((await exchange(key.id, aDay)).status).toBe(200)
    const half = await app.call('POST /oauth/token', {
      body: { grant_type: grantType, client_id: key.id },
    })
    expect(half.body.error).toBe('invalid_request')
  })

  it('ends with the key, the pin and the secret', async () => {
    const key = await addKey()
    const path = `/organizations/${orgId}/api-keys/${key.id}`
    const token = (await exchange(key.id, await sign())).body.access_token
    await app.ok(`PATCH ${path}`, { as: bootstrapToken, body: { serviceAccounts: null } })
    expect((await exchange(key.id, await sign())).body.error).toBe('invalid_grant')
    await app.ok(`PATCH ${path}`, { as: bootstrapToken, body: { serviceAccounts: [pinned()] } })
    expect((await exchange(key.id, await sign())).status).toBe(200)
    await app.ok(`DELETE ${path}`, { as: bootstrapToken })
    const revoked = await exchange(key.id, await sign())
    expect(revoked.body.error_description).toContain('revoked')
    expect((await app.call('GET /me', { as: token })).body.code).toBe('revoked_credentials')
  })

  it('is verified with pasted keys where the issuer cannot be reached, which is not asked then', async () => {
    const hidden = 'https://kubernetes.default.svc.cluster.local'
    const key = await addKey([pinned({ issuer: hidden, keys: { keys: [cluster.jwk] } })])
    requests.length = 0
    expect((await exchange(key.id, await sign({ iss: hidden }))).status).toBe(200)
    expect(requests).toEqual([])
    const wrong = await exchange(key.id, await sign({ iss: hidden, by: foreign }))
    expect(wrong.body.error).toBe('invalid_grant')
    const unpinned = await addKey([pinned({ issuer: hidden })])
    const refused = await exchange(unpinned.id, await sign({ iss: hidden }))
    expect([refused.status, refused.body.error]).toEqual([503, 'temporarily_unavailable'])
    expect(refused.body.error_description).toContain('paste the keys')
  })

  it('asks the issuer once for many tokens, and believes no issuer that describes another', async () => {
    const node = await app.openNode({ egress: createEgress({ allow: ['127.0.0.1'] }) })
    const key = await addKey()
    await node.feed.refresh()
    const ask = async () =>
      node.call('POST /oauth/token', {
        body: { grant_type: grantType, client_id: key.id, assertion: await sign() },
      })
    published = () => ({ issuer: 'https://other.example.com', jwks_uri: `${issuer}/jwks` })
    requests.length = 0
    // A stranger who knows the names can't make the server send a broken issuer request after request.
    for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(503)
    expect(requests).toEqual(['/.well-known/openid-configuration'])
    app.clock.advance(6_000)
    published = () => ({ issuer, jwks_uri: `${issuer}/jwks` })
    requests.length = 0
    for (let i = 0; i < 5; i++) expect((await ask()).status).toBe(200)
    expect(requests).toEqual(['/.well-known/openid-configuration', '/jwks'])
  })

  it.each([
    ['cannot be reached', () => undefined],
    ['are no keys', () => '{"keys":"none"}'],
    ['are larger than 256 KiB', () => `{"keys":[],"note":"${'x'.repeat(300 * 1024)}"}`],
  ])('asks once in five seconds for keys that %s', async (_, text) => {
    const node = await app.openNode({ egress: createEgress({ allow: ['127.0.0.1'] }) })
    const key = await addKey()
    await node.feed.refresh()
    const ask = async () =>
      node.call('POST /oauth/token', {
        body: { grant_type: grantType, client_id: key.id, assertion: await sign() },
      })
    requests.length = 0
    keysText = text
    for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(503)
    expect(requests).toEqual(['/.well-known/openid-configuration', '/jwks'])
    keysText = undefined
    expect((await ask()).status).toBe(503)
    app.clock.advance(6_000)
    expect((await ask()).status).toBe(200)
  })
})

describe('the service accounts of a key', () => {
  const create = (body: object) =>
    app.call(`POST /organizations/${orgId}/api-keys`, {
      as: bootstrapToken,
      body: { name: 'k', ...body },
    })

  it('are sent back as they were given, without anything private, and are audited', async () => {
    const account = pinned({ keys: { keys: [{ ...cluster.jwk, note: 'x' }] } })
    const { body } = await create({
      kind: 'm2m',
      serviceAccounts: [account, pinned({ name: 'b' })],
    })
    const shown = [pinned({ keys: { keys: [cluster.jwk] } }), pinned({ name: 'b', keys: null })]
    expect(body.serviceAccounts).toEqual(shown)
    const path = `/organizations/${orgId}/api-keys/${body.id}`
    const again = await app.ok(`PATCH ${path}`, {
      as: bootstrapToken,
      body: { serviceAccounts: body.serviceAccounts },
    })
    expect(again.body.serviceAccounts).toEqual(shown)
    const none = await app.ok(`PATCH ${path}`, {
      as: bootstrapToken,
      body: { serviceAccounts: [] },
    })
    expect(none.body.serviceAccounts).toBeNull()
    const { body: trail } = await app.ok(`GET /organizations/${orgId}/audit-events`, {
      as: bootstrapToken,
    })
    const texts = trail.items.map((event: object) => JSON.stringify(event)).join('\n')
    expect(texts).toContain(`shop/web of ${issuer}`)
  })

  it('are refused with the place of each fault, and no key is repeated', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    const secretJwk = privateKey.export({ format: 'jwk' })
    const faults: readonly (readonly [object, string])[] = [
      [pinned({ issuer: 'nonsense' }), '/serviceAccounts/0/issuer'],
      [pinned({ issuer: 'https://a.example.com/?x=1' }), '/serviceAccounts/0/issuer'],
      [pinned({ keys: { keys: [secretJwk] } }), '/serviceAccounts/0/keys/keys/0'],
      [
        pinned({ keys: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }),
        '/serviceAccounts/0/keys/keys/0',
      ],
      [pinned({ keys: { keys: [{ kty: 'RSA' }] } }), '/serviceAccounts/0/keys/keys/0'],
      // The exponents 1, 2, 3 and 65,536.
      ...['AQ', 'Ag', 'Aw', 'AQAA'].map(
        (e) =>
          [
            pinned({ keys: { keys: [{ ...cluster.jwk, e }] } }),
            '/serviceAccounts/0/keys/keys/0',
          ] as const,
      ),
      [
        pinned({ keys: { keys: [small.export({ format: 'jwk' })] } }),
        '/serviceAccounts/0/keys/keys/0',
      ],
    ]
    for (const [account, pointer] of faults) {
      const { status, body, text } = await create({ kind: 'm2m', serviceAccounts: [account] })
      expect([status, body.errors?.[0]?.pointer]).toEqual([422, pointer])
      expect(text).not.toContain(String(secretJwk.d))
    }
    const browser = await create({ kind: 'b2m', serviceAccounts: [pinned()] })
    expect(browser.body.errors[0].pointer).toBe('/serviceAccounts')
    for (const wrong of [{ namespace: 'Shop' }, { name: 'a b' }, { keys: { keys: [] } }]) {
      expect((await create({ kind: 'm2m', serviceAccounts: [pinned(wrong)] })).status).toBe(422)
    }
  })
})
