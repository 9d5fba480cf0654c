import { describe, expect, it } from 'vitest'
import { toAge, toDuration } from './time.tsx'

describe('an age', () => {
  it.each([
    [0, 'just now'],
    [59_000, 'just now'],
    [-5_000, 'just now'],
    [-30_000, 'in under 1m'],
    [7 * 60_000, '7m ago'],
    [3 * 3_600_000 + 59 * 60_000, '3h ago'],
    [12 * 86_400_000, '12d ago'],
    [-5 * 3_600_000, 'in 5h'],
    [-(7 * 86_400_000 - 1_500), 'in 7d'],
  ])('of %i ms is %s', (ms, text) => expect(toAge(ms)).toBe(text))
})

describe('a duration', () => {
  it.each([
    [480, '480 ms'],
    [74_000, '74 s'],
    [12 * 60_000, '12 min'],
    [3 * 3_600_000, '3 h'],
    [3 * 3_600_000 + 20 * 60_000, '3 h 20 min'],
    [52 * 3_600_000, '2 d 4 h'],
  ])('of %i ms is %s', (ms, text) => expect(toDuration(ms)).toBe(text))
})
