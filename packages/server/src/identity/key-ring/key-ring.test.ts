import { describe, expect, it } from 'vitest'
import { newToken } from '../../crypto/tokens.ts'
import { createKeyRing } from './key-ring.ts'
import {
  parseRingRows,
  type RingRows,
  type SavedKey,
  type SavedOrganization,
} from './saved-key-ring.ts'

const { handle, hash } = newToken('m2m')
const none: RingRows = { organizations: [], keys: [], secrets: [], signingKeys: [] }

function buildOrganization(overrides: Partial<SavedOrganization> = {}): SavedOrganization {
  return { id: 'org_a', slug: 'acme', name: 'Acme', deletedAt: null, ...overrides }
}

function buildKey(overrides: Partial<SavedKey> = {}): SavedKey {
  return {
    orgId: 'org_a',
    id: 'key_1',
    name: 'checkout',
    kind: 'm2m',
    environmentIds: null,
    schemaIds: null,
    allowedOrigins: null,
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

const rows: RingRows = {
  organizations: [buildOrganization()],
  keys: [buildKey()],
  secrets: [secret],
  signingKeys: [{ id: 'k1', publicJwk: { kid: 'k1' }, retired: false }],
}

describe('createKeyRing', () => {
  it('finds a key by the handle of its secret', () => {
    expect(createKeyRing(rows).findKey(handle)).toEqual({
      orgId: 'org_a',
      keyId: 'key_1',
      name: 'checkout',
      kind: 'm2m',
      handle,
      hash,
      environmentIds: null,
      schemaIds: null,
      allowedOrigins: null,
      expiresAt: null,
      revokedAt: null,
    })
    expect(createKeyRing(rows).findKey('other')).toBeUndefined()
    expect(createKeyRing().findKey(handle)).toBeUndefined()
  })

  it('takes the earlier end of the key and its secret', () => {
    const ring = createKeyRing({
      ...rows,
      keys: [buildKey({ expiresAt: '2027-01-02T00:00:00Z' })],
      secrets: [{ ...secret, expiresAt: '2027-01-01T00:00:00.123456+00:00' }],
    })
    expect(ring.findKey(handle)?.expiresAt).toEqual(new Date('2027-01-01T00:00:00.123Z'))
  })

  it('treats the keys of a deleted organization as revoked', () => {
    const ring = createKeyRing(rows)
    expect(ring.findKey(handle)?.revokedAt).toBeNull()
    const deletedAt = '2026-11-21T06:00:00Z'
    ring.apply({ ...none, organizations: [buildOrganization({ deletedAt })] })
    expect(ring.findKey(handle)?.revokedAt).toEqual(new Date(deletedAt))
    expect(ring.findOrganization('org_a')).toBeUndefined()
    expect(ring.findOrganization('acme')).toBeUndefined()
  })

  it('does not take a secret for the key of another organization', () => {
    const ring = createKeyRing({ ...rows, secrets: [{ ...secret, orgId: 'org_b' }] })
    expect(ring.findKey(handle)).toBeUndefined()
  })

  it('finds an organization by id and by slug, and follows a slug to its next owner', () => {
    const ring = createKeyRing(rows)
    const acme = { id: 'org_a', slug: 'acme', name: 'Acme' }
    expect(ring.findOrganization('org_a')).toEqual(acme)
    expect(ring.findOrganization('acme')).toEqual(acme)
    ring.apply({ ...none, organizations: [buildOrganization({ slug: 'acme-old' })] })
    expect(ring.findOrganization('acme')).toBeUndefined()
    const heir = buildOrganization({ id: 'org_b', slug: 'acme' })
    ring.apply({ ...none, organizations: [heir] })
    ring.apply({
      ...none,
      organizations: [buildOrganization({ deletedAt: '2026-01-01T00:00:00Z' })],
    })
    expect(ring.findOrganization('acme')?.id).toBe('org_b')
  })

  it('answers no organization for the names of object properties', () => {
    expect(createKeyRing(rows).findOrganization('__proto__')).toBeUndefined()
    expect(createKeyRing(rows).findKey('constructor')).toBeUndefined()
  })

  it('begins where another one was saved, through a file', () => {
    const file = JSON.stringify(createKeyRing(rows).save())
    const ring = createKeyRing(parseRingRows(JSON.parse(file)))
    expect(ring.findKey(handle)).toEqual(createKeyRing(rows).findKey(handle))
    expect(ring.findOrganization('acme')?.id).toBe('org_a')
    expect(ring.signingKeys()).toEqual([{ kid: 'k1' }])
    expect(() => parseRingRows({ ...rows, keys: [{}] })).toThrow('orgId')
    expect(() => parseRingRows(null)).toThrow('expected object')
  })

  it('drops a signing key when it is retired', () => {
    const ring = createKeyRing(rows)
    ring.apply({ ...none, signingKeys: [{ id: 'k1', publicJwk: {}, retired: true }] })
    expect(ring.signingKeys()).toEqual([])
  })
})
