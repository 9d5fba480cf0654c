import { expect, it } from 'vitest'
import { toEnd } from './freeze-end.ts'

const now = new Date(2026, 11, 31, 22, 30)

it('a freeze ends after so many hours', () => {
  expect(toEnd('hour', now)).toBe(new Date(2026, 11, 31, 23, 30).toISOString())
  expect(toEnd('hours', now)).toBe(new Date(2027, 0, 1, 2, 30).toISOString())
})

it('a freeze until tomorrow ends at eight in the morning, of the next year too', () => {
  expect(toEnd('tomorrow', now)).toBe(new Date(2027, 0, 1, 8).toISOString())
})

it('a person chooses another end', () => {
  expect(toEnd('other', now)).toBeUndefined()
})
