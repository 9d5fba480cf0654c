import { describe, expect, it } from 'vitest'
import { newToken } from '../../crypto/tokens.ts'
import { createApiKeyCache } from './api-key-cache.ts'
import {
  parseApiKeyRows,
  type ApiKeyRows,
  type SavedKey,
  type SavedOrganization,
} from './saved-api-keys.ts'

const { handle, hash } = newToken('m2m')
const none: ApiKeyRows = { organizations: [], keys: [], secrets: [], signingKeys: [] }

function buildOrganization(overrides: Partial<SavedOrganization> = {}): SavedOrganization {
  return { id: 'org_a', slug: 'acme', name: 'Acme', deletedAt: null, ...overrides }
}

function buildKey(overrides: Partial<SavedKey> = {}): SavedKey {
  return {
    orgId: 'org_a',
    id: 'key_1',
    name: 'checkout',
    kind: 'm2m',
    access: 'write',
    environmentIds: null,
    schemaIds: null,
    allowedOrigins: null,
    allowedNetworks: null,
    expiresAt: null,
    revokedAt: null,
    ...overrides,
  }
}

const secret = {
  orgId: 'org_a',
  keyId: 'key_1',
  handle,
  hash: hash.toString('base64'),
  expiresAt: null,
}

const rows: ApiKeyRows = {
  organizations: [buildOrganization()],
  keys: [buildKey()],
  secrets: [secret],
  signingKeys: [{ id: 'k1', publicJwk: { kid: 'k1' }, retired: false }],
}

describe('createApiKeyCache', () => {
  it('finds a key by the handle of its secret', () => {
    expect(createApiKeyCache(rows).findKey(handle)).toEqual({
      orgId: 'org_a',
      keyId: 'key_1',
      name: 'checkout',
      kind: 'm2m',
      access: 'write',
      handle,
      hash,
      environmentIds: null,
      schemaIds: null,
      allowedOrigins: null,
      allowedNetworks: null,
      expiresAt: null,
      revokedAt: null,
    })
    expect(createApiKeyCache(rows).findKey('other')).toBeUndefined()
    expect(createApiKeyCache().findKey(handle)).toBeUndefined()
  })

  it('takes the earlier end of the key and its secret', () => {
    const keyCache = createApiKeyCache({
      ...rows,
      keys: [buildKey({ expiresAt: '2027-01-02T00:00:00Z' })],
      secrets: [{ ...secret, expiresAt: '2027-01-01T00:00:00.123456+00:00' }],
    })
    expect(keyCache.findKey(handle)?.expiresAt).toEqual(new Date('2027-01-01T00:00:00.123Z'))
  })

  it('treats the keys of a deleted organization as revoked', () => {
    const keyCache = createApiKeyCache(rows)
    expect(keyCache.findKey(handle)?.revokedAt).toBeNull()
    const deletedAt = '2026-11-21T06:00:00Z'
    keyCache.apply({ ...none, organizations: [buildOrganization({ deletedAt })] })
    expect(keyCache.findKey(handle)?.revokedAt).toEqual(new Date(deletedAt))
    expect(keyCache.findOrganization('org_a')).toBeUndefined()
    expect(keyCache.findOrganization('acme')).toBeUndefined()
  })

  it('does not take a secret for the key of another organization', () => {
    const keyCache = createApiKeyCache({ ...rows, secrets: [{ ...secret, orgId: 'org_b' }] })
    expect(keyCache.findKey(handle)).toBeUndefined()
  })

  it('finds an organization by id and by slug, and follows a slug to its next owner', () => {
    const keyCache = createApiKeyCache(rows)
    const acme = { id: 'org_a', slug: 'acme', name: 'Acme' }
    expect(keyCache.findOrganization('org_a')).toEqual(acme)
    expect(keyCache.findOrganization('acme')).toEqual(acme)
    keyCache.apply({ ...none, organizations: [buildOrganization({ slug: 'acme-old' })] })
    expect(keyCache.findOrganization('acme')).toBeUndefined()
    const heir = buildOrganization({ id: 'org_b', slug: 'acme' })
    keyCache.apply({ ...none, organizations: [heir] })
    keyCache.apply({
      ...none,
      organizations: [buildOrganization({ deletedAt: '2026-01-01T00:00:00Z' })],
    })
    expect(keyCache.findOrganization('acme')?.id).toBe('org_b')
  })

  it('answers no organization for the names of object properties', () => {
    expect(createApiKeyCache(rows).findOrganization('__proto__')).toBeUndefined()
    expect(createApiKeyCache(rows).findKey('constructor')).toBeUndefined()
  })

  it('begins where another one was saved, through a file', () => {
    const file = JSON.stringify(createApiKeyCache(rows).save())
    const keyCache = createApiKeyCache(parseApiKeyRows(JSON.parse(file)))
    expect(keyCache.findKey(handle)).toEqual(createApiKeyCache(rows).findKey(handle))
    expect(keyCache.findOrganization('acme')?.id).toBe('org_a')
    expect(keyCache.signingKeys()).toEqual([{ kid: 'k1' }])
    expect(() => parseApiKeyRows({ ...rows, keys: [{}] })).toThrow('orgId')
    expect(() => parseApiKeyRows(null)).toThrow('expected object')
  })

  it('drops a signing key when it is retired', () => {
    const keyCache = createApiKeyCache(rows)
    keyCache.apply({ ...none, signingKeys: [{ id: 'k1', publicJwk: {}, retired: true }] })
    expect(keyCache.signingKeys()).toEqual([])
  })
})
