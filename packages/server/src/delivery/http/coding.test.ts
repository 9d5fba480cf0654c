import { describe, expect, it } from 'vitest'
import { chooseCoding } from './coding.ts'

describe('chooseCoding', () => {
  it('prefers brotli, then gzip, as far as they are allowed (RFC 9110 §12.5.3)', () => {
    expect(chooseCoding('gzip, deflate, br')).toBe('br')
    expect(chooseCoding('gzip, deflate, br, zstd')).toBe('br')
    expect(chooseCoding('gzip;q=1.0, br;q=0.5')).toBe('gzip')
    expect(chooseCoding('GZIP')).toBe('gzip')
    expect(chooseCoding('*')).toBe('br')
    expect(chooseCoding('br;q=0, *')).toBe('gzip')
  })

  it('sends plain content to a client that accepts no coding', () => {
    for (const header of [
      undefined,
      '',
      'identity',
      'deflate',
      'br;q=0, gzip;q=0',
      '*;q=0',
      ';;,',
    ]) {
      expect([header, chooseCoding(header)]).toEqual([header, 'identity'])
    }
    expect(chooseCoding('identity;q=1, gzip;q=0.5')).toBe('identity')
  })
})
