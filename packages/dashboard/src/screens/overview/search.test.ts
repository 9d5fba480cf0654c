import { describe, expect, it } from 'vitest'
import { limitPeriod, listKeptPeriods } from './search.ts'

describe('the periods of the overview', () => {
  it('are those of which all deployments are kept', () => {
    expect(listKeptPeriods(undefined)).toEqual([7, 30, 90])
    expect(listKeptPeriods(89)).toEqual([7, 30])
    expect(listKeptPeriods(90)).toEqual([7, 30, 90])
  })

  it('are limited where the address has a longer one', () => {
    expect(limitPeriod(90, undefined)).toBe(90)
    expect(limitPeriod(90, 40)).toBe(30)
    expect(limitPeriod(7, 40)).toBe(7)
    expect(limitPeriod(undefined, 400)).toBe(30)
  })
})
