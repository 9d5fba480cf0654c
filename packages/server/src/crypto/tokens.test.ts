import { createHash } from 'node:crypto'
import { tokenKinds, tokenPattern } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { toBase62 } from './base62.ts'
import { hashOpaqueToken, newOpaqueToken } from './opaque-tokens.ts'
import { newToken, readToken } from './tokens.ts'

describe('newToken', () => {
  it('issues tokens of the published form that readToken takes apart again', () => {
    for (const kind of tokenKinds) {
      const { token, handle, hash } = newToken(kind)
      expect(token).toMatch(tokenPattern)
      expect(readToken(token)).toEqual({ kind, handle, hash })
      expect(hash).toEqual(createHash('sha256').update(token).digest())
    }
  })

  it('spreads its characters evenly over base 62', () => {
    const counts = new Map<string, number>()
    for (let i = 0; i < 4_000; i++) {
      for (const character of newToken('m2m').token.slice(8, 48)) {
        counts.set(character, (counts.get(character) ?? 0) + 1)
      }
    }
    const expected = (4_000 * 40) / 62
    expect(counts.size).toBe(62)
    for (const count of counts.values()) {
      expect(Math.abs(count - expected)).toBeLessThan(expected * 0.15)
    }
  })
})

describe('readToken', () => {
  it('refuses a token with any one character changed', () => {
    const { token } = newToken('b2m')
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'x' ? 'y' : 'x'
      expect(readToken(token.slice(0, i) + other + token.slice(i + 1))).toBeUndefined()
    }
  })

  it('refuses another kind on the same body, other lengths and trailing text', () => {
    const { token } = newToken('m2m')
    expect(readToken(token.replace('m2m', 'b2m'))).toBeUndefined()
    expect(readToken(token.slice(0, -1))).toBeUndefined()
    expect(readToken(`${token}\n`)).toBeUndefined()
    expect(readToken(` ${token}`)).toBeUndefined()
    expect(readToken('')).toBeUndefined()
  })
})

describe('toBase62', () => {
  it('pads to its length and holds every CRC-32', () => {
    expect(toBase62(0, 6)).toBe('000000')
    expect(toBase62(61, 6)).toBe('00000z')
    expect(toBase62(62, 6)).toBe('000010')
    expect(toBase62(0xff_ff_ff_ff, 6)).toBe('4gfFC3')
  })
})

describe('opaque tokens', () => {
  it('have 256 bits and are found by their hash', () => {
    const { token, hash } = newOpaqueToken()
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(hashOpaqueToken(token)).toEqual(hash)
  })

  it('of another form are not looked up', () => {
    expect(hashOpaqueToken('')).toBeUndefined()
    expect(hashOpaqueToken('a'.repeat(44))).toBeUndefined()
    expect(hashOpaqueToken(`${'a'.repeat(42)}=`)).toBeUndefined()
  })
})
