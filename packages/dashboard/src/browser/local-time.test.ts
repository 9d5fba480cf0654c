import { expect, it } from 'vitest'
import { toLocal, toMoment } from './local-time.ts'

it('a moment survives its field, to the minute', () => {
  expect(toMoment(toLocal('2026-12-01T07:30:00.000Z'))).toBe('2026-12-01T07:30:00.000Z')
})

it('is the local time of the field', () => {
  expect(toMoment('2026-07-01T08:00')).toBe(new Date(2026, 6, 1, 8).toISOString())
})

it.each(['', 'tomorrow'])('is no moment where the field holds %j', (text) => {
  expect(toMoment(text)).toBeUndefined()
})

it('leaves the field empty without a moment', () => {
  expect(toLocal(null)).toBe('')
})
