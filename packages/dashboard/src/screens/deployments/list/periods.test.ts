import { expect, it } from 'vitest'
import { findPeriod, periods, toDays } from './periods.ts'

const now = new Date(2026, 2, 1, 12)

it('finds again each period by its days, also over the end of a month', () => {
  for (const period of periods) expect(findPeriod(toDays(period, now), now)).toBe(period.value)
  const [, week] = periods
  expect(week && toDays(week, now)).toEqual({ from: '2026-02-23', to: undefined })
})

it('takes other days for a choice of their own, and no days for none', () => {
  expect(findPeriod({ from: '2026-02-20', to: '2026-02-20' }, now)).toBe('custom')
  expect(findPeriod({ from: undefined, to: '2026-02-20' }, now)).toBe('custom')
  expect(findPeriod({ from: undefined, to: undefined }, now)).toBeUndefined()
})
