import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createAccessTokenIssuer, createAccessTokenVerifier } from './access-tokens.ts'
import { generateRootKey } from './root-key.ts'

const rootKey = generateRootKey()
const issuer = await createAccessTokenIssuer(rootKey)
const verifier = createAccessTokenVerifier([issuer.publicJwk])
const claims = { keyId: 'key_1', orgId: 'org_1', handle: '4fZk20aPq1' }
const now = new Date('2026-11-21T06:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('access tokens', () => {
  it('say whose they are, to a node that has only the public key', async () => {
    const token = await issuer.issue(claims, now)
    expect(await verifier.verify(token, later(899))).toEqual({
      ...claims,
      tokenId: expect.stringMatching(/^[\w-]{22}$/),
      expiresAt: later(900),
    })
    expect(issuer.publicJwk).not.toHaveProperty('d')
  })

  it('end after 15 minutes', async () => {
    expect(await verifier.verify(await issuer.issue(claims, now), later(900))).toBe('expired')
  })

  it('are the same for every node with the same root key, and for no other', async () => {
    const sibling = await createAccessTokenIssuer(rootKey)
    expect(sibling.publicJwk).toEqual(issuer.publicJwk)
    const stranger = await createAccessTokenIssuer(generateRootKey())
    expect(await verifier.verify(await stranger.issue(claims, now), now)).toBe('invalid')
  })

  it('verify under both root keys while one replaces the other', async () => {
    const next = await createAccessTokenIssuer(generateRootKey())
    const both = createAccessTokenVerifier([issuer.publicJwk, next.publicJwk])
    expect(await both.verify(await issuer.issue(claims, now), now)).toMatchObject(claims)
    expect(await both.verify(await next.issue(claims, now), now)).toMatchObject(claims)
  })

  it('are refused when changed, unsigned, or signed with the public key as a shared secret', async () => {
    const token = await issuer.issue(claims, now)
    const [header, payload = '', signature] = token.split('.')
    const other = Buffer.from(payload, 'base64url').toString().replace('org_1', 'org_2')
    const forged = `${header}.${Buffer.from(other).toString('base64url')}.${signature}`
    expect(await verifier.verify(forged, now)).toBe('invalid')

    const unsigned = new UnsecuredJWT({ sub: 'key_1', org: 'org_1' }).encode()
    expect(await verifier.verify(unsigned, now)).toBe('invalid')

    const shared = new TextEncoder().encode(issuer.publicJwk.x)
    const confused = await new SignJWT({ sub: 'key_1', org: 'org_1', iss: 'signalbox', jti: 'x' })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .setIssuedAt(now)
      .setExpirationTime(later(60))
      .sign(shared)
    expect(await verifier.verify(confused, now)).toBe('invalid')
    for (const junk of ['', 'a.b.c', 'null', `${token}.`, token.slice(0, -4)]) {
      expect(await verifier.verify(junk, now)).toBe('invalid')
    }
  })
})
