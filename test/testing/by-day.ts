import { inject } from 'vitest'

/**
 * Takes each `nth` of the cases by day, and all of them at a larger scale. Where `nth` and the number of variants of each place
 * share no divisor, every place and every variant is still tried.
 */
export function byDay<Case>(cases: readonly Case[], nth: number): readonly Case[] {
  return inject('scale') > 1 ? cases : cases.filter((_, at) => at % nth === 0)
}
