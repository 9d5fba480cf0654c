import { describe, expect, it } from 'vitest'
import { sign, verifySignature } from './sign.ts'

const key = Buffer.from('Jefe')

describe('sign', () => {
  it('agrees with RFC 4231 test case 2', () => {
    expect(
      Buffer.from(sign(key, 'what do ya want for nothing?'), 'base64url').toString('hex'),
    ).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
  })
})

describe('verifySignature', () => {
  it('refuses another text, key, length and letter', () => {
    const signature = sign(key, 'text')
    expect(verifySignature(key, 'text', signature)).toBe(true)
    expect(verifySignature(key, 'texT', signature)).toBe(false)
    expect(verifySignature(Buffer.from('jefe'), 'text', signature)).toBe(false)
    for (const other of ['', signature.slice(1), `${signature}A`, signature.toLowerCase(), 'é']) {
      expect(verifySignature(key, 'text', other)).toBe(false)
    }
  })
})
