import { describe, expect, it } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const now = new Date('1994-11-06T08:49:07.000Z')
const secondsOf = (header: string | undefined) => {
  const at = readRetryAfter(header, now)
  return at && (at.getTime() - now.getTime()) / 1000
}

describe('Retry-After', () => {
  it('is read as seconds and as a date of HTTP, in each of its forms', () => {
    for (const header of [
      '30',
      ' 30 ',
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
    ]) {
      expect([header, secondsOf(header)]).toEqual([header, 30])
    }
  })

  it('means a second at the least and an hour at the most, whatever it says', () => {
    const of = [
      '0',
      '99999999999999',
      'Sun, 06 Nov 1984 08:49:37 GMT',
      'Thu, 06 Nov 2094 08:49:37 GMT',
    ]
    expect(of.map(secondsOf)).toEqual([1, 3600, 1, 3600])
  })

  it('says nothing where it cannot be read', () => {
    const unreadable = [
      undefined,
      '',
      'soon',
      '-1',
      '1e3',
      'NaN',
      '0x10',
      'Someday, maybe',
      '2094-11-06',
    ]
    expect(unreadable.map(secondsOf)).toEqual(unreadable.map(() => undefined))
  })
})
