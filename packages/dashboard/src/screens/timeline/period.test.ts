import { describe, expect, it } from 'vitest'
import { changeFields, isReversed, readFrom, readTo, toFields, toPeriod } from './period.ts'

const local = (text: string) => new Date(text).toISOString()
const now = new Date('2026-11-25T15:20:31')

describe('toPeriod', () => {
  it('is half an hour before and after a moment, the moment at its end included', () => {
    const at = '2026-11-25T14:00:00.000Z'
    expect(toPeriod({ at }, now)).toEqual({
      from: '2026-11-25T13:30:00.000Z',
      before: '2026-11-25T14:30:00.001Z',
    })
    expect(toPeriod({ at, span: 120, range: '1h' }, now).from).toBe('2026-11-25T12:00:00.000Z')
  })

  it('is the same for a whole minute where it ends now', () => {
    const later = new Date('2026-11-25T15:20:59')
    expect(toPeriod({ range: '1h' }, now)).toEqual({ from: local('2026-11-25T14:20:00') })
    expect(toPeriod({ range: '1h' }, later)).toEqual(toPeriod({ range: '1h' }, now))
  })

  it('is open where nothing was chosen', () => {
    expect(toPeriod({}, now)).toEqual({})
  })
})

describe('the fields of a period', () => {
  it('take a time alone as the last one that has passed', () => {
    const time = (value: string) => ({ date: '', time: value })
    expect(readFrom(time('14:00'), now)).toBe(local('2026-11-25T14:00:00'))
    expect(readFrom(time('16:00'), now)).toBe(local('2026-11-24T16:00:00'))
  })

  it('take the end on the day of the beginning, or on the next one', () => {
    const from = local('2026-11-24T22:00:00')
    expect(readTo({ date: '', time: '23:30' }, from, now)).toBe(local('2026-11-24T23:30:00'))
    expect(readTo({ date: '', time: '01:30' }, from, now)).toBe(local('2026-11-25T01:30:00'))
  })

  it('take a date alone from its beginning to its end', () => {
    const date = { date: '2026-11-20', time: '' }
    expect(readFrom(date, now)).toBe(local('2026-11-20T00:00:00'))
    const end = local('2026-11-20T23:59:59.999')
    expect(readTo(date, undefined, now)).toBe(end)
    // Of the last minute as well, once the fields were read out of the address again.
    expect(readTo(toFields(end), undefined, now)).toBe(end)
  })

  it('are both empty once the date is cleared, and keep the other one otherwise', () => {
    const set = { date: '2026-11-20', time: '14:00' }
    expect(changeFields(set, { date: '' }, false)).toEqual({ date: '', time: '' })
    expect(changeFields(set, { date: '2026-11-21' }, false)).toEqual({ ...set, date: '2026-11-21' })
    expect(changeFields(set, { time: '15:00' }, false)).toEqual({ ...set, time: '15:00' })
    expect(changeFields({ date: '', time: '' }, { time: '15:00' }, false)).toEqual({
      date: '',
      time: '15:00',
    })
  })

  it('derive a date that followed from a time anew from the next time', () => {
    const set = { date: '2026-11-26', time: '02:30' }
    expect(changeFields(set, { time: '14:30' }, true)).toEqual({ date: '', time: '14:30' })
    expect(changeFields(set, { date: '2026-11-27' }, true)).toEqual({ ...set, date: '2026-11-27' })
  })

  it('name a period that ends before it begins', () => {
    const [one, other] = [local('2026-11-20T14:00:00'), local('2026-11-20T14:30:00')]
    expect(isReversed({ from: other, before: one })).toBe(true)
    expect(isReversed({ from: one, before: one })).toBe(true)
    expect(isReversed({ from: one, before: other })).toBe(false)
    expect(isReversed({ from: one })).toBe(false)
  })

  it('show what they were given, and nothing for an open end', () => {
    expect(toFields(local('2026-11-20T09:05:00'))).toEqual({ date: '2026-11-20', time: '09:05' })
    expect(toFields(undefined)).toEqual({ date: '', time: '' })
    expect(readFrom({ date: '', time: '' }, now)).toBeUndefined()
  })
})
