import { describe, expect, it } from 'vitest'
import { codeWaitMs, newRecoveryCodes, readCode } from './second-factor.ts'
import { describeTotp, findTotpStep, newTotpSecret } from './totp.ts'

describe('findTotpStep (RFC 6238 appendix B)', () => {
  const secret = Buffer.from('12345678901234567890')
  // The last six of the eight digits that the appendix gives for SHA-1.
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ])('at %i s the code is %s', (seconds, code, step) => {
    expect(findTotpStep(secret, code, new Date(seconds * 1000))).toBe(step)
  })

  it('takes the code of the period before and after, as the one of that period, and no other', () => {
    const at = (seconds: number) => findTotpStep(secret, '287082', new Date(seconds * 1000))
    expect([at(29), at(30), at(59), at(60), at(89), at(90)]).toEqual([1, 1, 1, 1, 1, undefined])
    expect(at(29 - 30)).toBeUndefined()
  })

  it('refuses what has not six digits', () => {
    for (const code of ['', '28708', '2870820', '287082 ']) {
      expect(findTotpStep(secret, code, new Date(59_000))).toBeUndefined()
    }
  })
})

describe('describeTotp', () => {
  it('says everything that an authenticator needs, under the name of this server', () => {
    const secret = newTotpSecret()
    expect(secret).toHaveLength(20)
    const given = { issuer: 'Signalbox (example.com)', account: 'ada@example.com' }
    const { uri, secret: typed } = describeTotp(secret, given)
    const url = new URL(uri)
    expect(`${url.protocol}//${url.host}`).toBe('otpauth://totp')
    expect(decodeURIComponent(url.pathname)).toBe('/Signalbox (example.com):ada@example.com')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Signalbox (example.com)',
      secret: typed,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(typed).toMatch(/^[A-Z2-7]{32}$/)
  })
})

describe('recovery codes', () => {
  it('are ten different ones of 80 bits, read however they are typed', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes.map(({ text }) => text)).size).toBe(10)
    for (const { text, hash } of codes) {
      expect(text).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
      const typed = ` ${text.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')} `
      expect(readCode(typed)).toEqual({ kind: 'recovery', hash })
    }
  })

  it('are told from the codes of an authenticator, and from neither', () => {
    expect(readCode('123 456')).toEqual({ kind: 'totp', digits: '123456' })
    for (const text of ['', '12345', 'abcdef', 'x'.repeat(17)]) {
      expect(readCode(text)).toBeUndefined()
    }
  })
})

describe('codeWaitMs', () => {
  it('doubles after three free tries, up to a quarter of an hour', () => {
    expect([0, 3, 4, 5, 6, 13, 14, 15, 1_000].map(codeWaitMs)).toEqual([
      0, 0, 1_000, 2_000, 4_000, 512_000, 900_000, 900_000, 900_000,
    ])
  })
})
