import { describe, expect, it } from 'vitest'
import { createAccessTokenIssuer } from '../crypto/access-tokens.ts'
import { generateRootKey } from '../crypto/root-key.ts'
import { newToken } from '../crypto/tokens.ts'
import { createApiKeyCache } from './key-cache/api-key-cache.ts'
import type { ApiKeyRows, SavedKey } from './key-cache/saved-api-keys.ts'
import { createTokenVerifier } from './verify-token.ts'

const server = newToken('m2m')
const issuer = await createAccessTokenIssuer(generateRootKey())
let now = new Date('2026-11-21T06:00:00Z')

function openVerifier(key: Partial<SavedKey> = {}, secretEnd: string | null = null) {
  const rows: ApiKeyRows = {
    organizations: [{ id: 'org_a', slug: 'a', name: 'A', deletedAt: null }],
    keys: [
      {
        orgId: 'org_a',
        id: 'key_1',
        name: 'n',
        kind: 'm2m',
        access: 'write',
        environmentIds: null,
        schemaIds: null,
        allowedOrigins: null,
        allowedNetworks: null,
        expiresAt: null,
        revokedAt: null,
        ...key,
      },
    ],
    secrets: [
      {
        orgId: 'org_a',
        keyId: 'key_1',
        handle: server.handle,
        expiresAt: secretEnd,
        hash: server.hash.toString('base64'),
      },
    ],
    signingKeys: [{ id: 'k', publicJwk: { ...issuer.publicJwk }, retired: false }],
  }
  const keyCache = createApiKeyCache(rows)
  return { keyCache, rows, ...createTokenVerifier({ keyCache, now: () => now }) }
}

/** A token with the public part of `server` and another secret part. */
function withOtherSecret(): string {
  for (;;) {
    const other = newToken('m2m')
    const forged = server.token.slice(0, 18) + other.token.slice(18)
    if (forged !== server.token) return forged
  }
}

describe('verifyApiKey', () => {
  it('accepts the whole token and nothing less', () => {
    const { verifyApiKey } = openVerifier()
    expect(verifyApiKey(server.token)).toMatchObject({ outcome: 'valid', key: { keyId: 'key_1' } })
    for (const junk of ['', 'sbx_m2m_', server.token.slice(0, -1), newToken('m2m').token]) {
      expect(verifyApiKey(junk)).toEqual({ outcome: 'invalid' })
    }
  })

  it('tells expired from revoked only to who has the secret part', () => {
    const expired = openVerifier({ expiresAt: '2026-11-21T06:00:00Z' })
    expect(expired.verifyApiKey(server.token)).toEqual({ outcome: 'expired' })
    const revoked = openVerifier({ revokedAt: '2026-11-21T05:00:00Z' })
    expect(revoked.verifyApiKey(server.token)).toEqual({ outcome: 'revoked' })
    expect(revoked.verifyApiKey(withOtherSecret())).toEqual({ outcome: 'invalid' })
    expect(expired.verifyApiKey(withOtherSecret())).toEqual({ outcome: 'invalid' })
  })

  it('ends the secret before a rotation with its overlap', () => {
    const { verifyApiKey } = openVerifier({}, '2026-11-21T06:00:01Z')
    expect(verifyApiKey(server.token)).toMatchObject({ outcome: 'valid' })
    now = new Date('2026-11-21T06:00:01Z')
    expect(verifyApiKey(server.token)).toEqual({ outcome: 'expired' })
    now = new Date('2026-11-21T06:00:00Z')
  })
})

describe('verifyAccessToken', () => {
  const claims = { keyId: 'key_1', orgId: 'org_a', handle: server.handle }

  it('gives the bearer what the key may', async () => {
    const { verifyAccessToken } = openVerifier({ environmentIds: ['env_1'] })
    expect(await verifyAccessToken(await issuer.issue(claims, now))).toMatchObject({
      outcome: 'valid',
      key: { keyId: 'key_1', environmentIds: ['env_1'] },
    })
  })

  it('ends with the key, with the secret and after 15 minutes', async () => {
    const token = await issuer.issue(claims, now)
    const revoked = openVerifier({ revokedAt: '2026-11-21T05:00:00Z' })
    expect(await revoked.verifyAccessToken(token)).toEqual({ outcome: 'revoked' })
    const rotated = openVerifier({}, '2026-11-21T05:59:59Z')
    expect(await rotated.verifyAccessToken(token)).toEqual({ outcome: 'expired' })
    now = new Date('2026-11-21T06:15:00Z')
    expect(await openVerifier().verifyAccessToken(token)).toEqual({ outcome: 'expired' })
    now = new Date('2026-11-21T06:00:00Z')
  })

  it('refuses one that names the key of another organization, or a key that is gone', async () => {
    const { verifyAccessToken } = openVerifier()
    const foreign = await issuer.issue({ ...claims, orgId: 'org_b' }, now)
    expect(await verifyAccessToken(foreign)).toEqual({ outcome: 'invalid' })
    const other = await issuer.issue({ ...claims, keyId: 'key_2' }, now)
    expect(await verifyAccessToken(other)).toEqual({ outcome: 'invalid' })
    const gone = await issuer.issue({ ...claims, handle: '0000000000' }, now)
    expect(await verifyAccessToken(gone)).toEqual({ outcome: 'invalid' })
  })

  it('follows the public keys of the cache', async () => {
    const { keyCache, rows, verifyAccessToken } = openVerifier()
    const next = await createAccessTokenIssuer(generateRootKey())
    const token = await next.issue(claims, now)
    expect(await verifyAccessToken(token)).toEqual({ outcome: 'invalid' })
    keyCache.apply({
      ...rows,
      signingKeys: [{ id: 'k2', publicJwk: { ...next.publicJwk }, retired: false }],
    })
    expect(await verifyAccessToken(token)).toMatchObject({ outcome: 'valid' })
  })
})
