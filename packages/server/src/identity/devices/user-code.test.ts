import { describe, expect, it } from 'vitest'
import { hashUserCode, newUserCode, readUserCode, renderUserCode } from './user-code.ts'

describe('a user code (RFC 8628 §6.1)', () => {
  it('has eight letters, none of which is a vowel, a digit or taken for one', () => {
    const codes = new Set(Array.from({ length: 500 }, newUserCode))
    expect(codes.size).toBe(500)
    for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
  })

  it('uses every letter about as often as any other', () => {
    const counts = new Map<string, number>()
    for (let i = 0; i < 5_000; i++) {
      for (const letter of newUserCode()) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    // 2,000 of each are expected; seven standard deviations are 310.
    for (const count of counts.values()) expect(Math.abs(count - 2_000)).toBeLessThan(310)
    expect(counts.size).toBe(20)
  })

  it.each(['WDJB-MJHT', 'wdjbmjht', ' WDJB MJHT ', 'W-D-J-B-M-J-H-T'])(
    'is read from %j',
    (text) => {
      expect(readUserCode(text)).toBe('WDJBMJHT')
      expect(renderUserCode('WDJBMJHT')).toBe('WDJB-MJHT')
    },
  )

  it.each(['', 'WDJB-MJH', 'WDJB-MJHTX', 'WDJB-MJHA', 'WDJB-MJH1', 'ＷＤＪＢＭＪＨＴ', 'WDJBMJHß'])(
    'is not read from %j',
    (text) => {
      expect(readUserCode(text)).toBeUndefined()
    },
  )

  it('is stored under a key, without which all codes cannot be tried', () => {
    const hashes = [1, 2].map((fill) => hashUserCode(Buffer.alloc(32, fill), 'WDJBMJHT'))
    expect(hashes[0]).toHaveLength(32)
    expect(hashes[0]).not.toEqual(hashes[1])
  })
})
