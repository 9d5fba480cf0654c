import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  newDataKey,
  takeSealCount,
  unwrapDataKey,
  wrapDataKey,
  wrappingKeyId,
} from './data-keys.ts'
import { generateRootKey, parseRootKey } from './root-key.ts'
import { newNonce, open, seal, sealedVersion, sealOverheadBytes, UnsealError } from './seal.ts'

const context = 'org_a|current_values|sch_a|env_a|stripeKey'
const secret = 'sk_live_a secret with ünïcode'

describe('seal and open', () => {
  it('give back what was sealed, text or bytes, also nothing at all', () => {
    const key = newDataKey('org_a', 3)
    const sealed = seal(key, context, secret)
    expect(open(key, context, sealed).toString()).toBe(secret)
    expect(sealed.length).toBe(Buffer.byteLength(secret) + sealOverheadBytes)
    expect(sealedVersion(sealed)).toBe(3)
    expect(sealed.includes(Buffer.from('sk_live'))).toBe(false)
    expect(open(key, context, seal(key, context, Buffer.alloc(0)))).toEqual(Buffer.alloc(0))
  })

  it('refuse a value with any one bit of any byte changed', () => {
    const key = newDataKey('org_a', 1)
    const sealed = seal(key, context, secret)
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(i) ^ (1 << (i % 8)), i)
      expect(() => open(key, context, changed)).toThrow(UnsealError)
    }
    expect(open(key, context, sealed).toString()).toBe(secret)
  })

  it('refuse a value of another place, organization, column or key', () => {
    const key = newDataKey('org_a', 1)
    const sealed = seal(key, context, secret)
    for (const other of [
      'org_b|current_values|sch_a|env_a|stripeKey',
      'org_a|current_values|sch_b|env_a|stripeKey',
      'org_a|current_values|sch_a|env_b|stripeKey',
      'org_a|current_values|sch_a|env_a|otherKey',
      'org_a|config_versions|sch_a|env_a|stripeKey',
      '',
    ]) {
      expect(() => open(key, other, sealed)).toThrow('not_authentic')
    }
    expect(() => open(newDataKey('org_a', 1), context, sealed)).toThrow('not_authentic')
    expect(() => open(newDataKey('org_a', 2), context, sealed)).toThrow('unknown_key')
    expect(() => open([], context, sealed)).toThrow('unknown_key')
  })

  it('refuse a shortened tag and every truncation', () => {
    const key = newDataKey('org_a', 1)
    const sealed = seal(key, context, secret)
    for (let length = 0; length < sealed.length; length++) {
      expect(() => open(key, context, sealed.subarray(0, length))).toThrow(UnsealError)
    }
    expect(() => open(key, context, Buffer.concat([sealed, Buffer.of(0)]))).toThrow(UnsealError)
  })

  it('find the key of each version, so that old values open after a rotation', () => {
    const old = newDataKey('org_a', 1)
    const current = newDataKey('org_a', 2)
    const sealed = seal(old, context, secret)
    expect(open([current, old], context, sealed).toString()).toBe(secret)
  })

  it('count the seals of each key', () => {
    const key = newDataKey('org_a', 1)
    for (let i = 0; i < 5; i++) seal(key, context, secret)
    expect(takeSealCount(key)).toBe(5)
    expect(takeSealCount(key)).toBe(0)
  })

  it('use a fresh nonce for every value', () => {
    const key = newDataKey('org_a', 1)
    const nonces = new Set<string>()
    for (let i = 0; i < 5_000; i++)
      nonces.add(seal(key, context, 'x').subarray(5, 17).toString('hex'))
    expect(nonces.size).toBe(5_000)
  })
})

describe('control: without the defence', () => {
  it('a tag of 4 bytes is accepted when the tag length is not fixed', () => {
    const key = createSecretKey(Buffer.alloc(32, 7))
    const nonce = Buffer.alloc(12, 1)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const text = Buffer.concat([cipher.update('attack at dawn'), cipher.final()])
    const short = cipher.getAuthTag().subarray(0, 4)
    const attempt = (options: { authTagLength: number }) => {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, options)
      decipher.setAuthTag(short)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString()
    }
    expect(attempt({ authTagLength: 4 })).toBe('attack at dawn')
    expect(() => attempt({ authTagLength: 16 })).toThrow('Invalid authentication tag length')
  })

  it('a value sealed without a context opens anywhere', () => {
    const key = newDataKey('org_a', 1)
    const sealed = seal(key, '', secret)
    expect(open(key, '', sealed).toString()).toBe(secret)
  })
})

describe('newNonce', () => {
  it('does not repeat within a million (S8)', () => {
    expect(countRepeats(newNonce, 1_000_000)).toBe(0)
  })

  it('control: 24 random bits do repeat within fifty thousand', () => {
    expect(countRepeats(() => newNonce().subarray(0, 3), 50_000)).toBeGreaterThan(0)
  })
})

function countRepeats(next: () => Buffer, total: number): number {
  const seen = new Set<string>()
  for (let i = 0; i < total; i++) seen.add(next().toString('latin1'))
  return total - seen.size
}

describe('wrapDataKey and unwrapDataKey', () => {
  const rootKey = generateRootKey()
  const key = newDataKey('org_a', 1)
  const stored = { orgId: 'org_a', version: 1, wrapped: wrapDataKey(rootKey, key) }

  it('give back a key that opens what the original sealed', () => {
    const unwrapped = unwrapDataKey([generateRootKey(), rootKey], stored)
    expect(open(unwrapped, context, seal(key, context, secret)).toString()).toBe(secret)
  })

  it('say which root key wrapped, and refuse the others', () => {
    expect(wrappingKeyId(stored.wrapped)).toBe(rootKey.id)
    expect(() => unwrapDataKey([generateRootKey()], stored)).toThrow('unknown_key')
  })

  it('refuse a key moved to another organization or version', () => {
    expect(() => unwrapDataKey([rootKey], { ...stored, orgId: 'org_b' })).toThrow('not_authentic')
    expect(() => unwrapDataKey([rootKey], { ...stored, version: 2 })).toThrow('not_authentic')
  })

  it('open what an earlier release has stored, or it would be lost', () => {
    const rootKey = parseRootKey('A'.repeat(43))
    const wrapped = Buffer.from(
      'AW5G5kSxpcys7UrJquVkbc4Gk1cQHJdcoUmepCx56g/hpjAQa1Hdc/rXwKC6+UvfC/xWJi54lgVKO6t7pl/pf5OAzkfI6EDSVQ==',
      'base64',
    )
    const dataKey = unwrapDataKey([rootKey], { orgId: 'org_a', version: 3, wrapped })
    const sealed = Buffer.from('AQAAAAPrlr5KTT2ceviFY8tzddgXzp4eyFPOsFFFgJ2ILr4Ilkvr4HEJ', 'base64')
    expect(open(dataKey, context, sealed).toString()).toBe('sk_live_a')
  })

  it('refuse any changed or missing byte', () => {
    for (let i = 0; i < stored.wrapped.length; i++) {
      const wrapped = Buffer.from(stored.wrapped)
      wrapped.writeUInt8(wrapped.readUInt8(i) ^ 0x80, i)
      expect(() => unwrapDataKey([rootKey], { ...stored, wrapped })).toThrow(UnsealError)
      const shorter = stored.wrapped.subarray(0, i)
      expect(() => unwrapDataKey([rootKey], { ...stored, wrapped: shorter })).toThrow(UnsealError)
    }
  })
})
