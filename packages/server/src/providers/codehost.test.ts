import { expect, it } from 'vitest'
import { orderByRank } from './codehosts/deployment.ts'

it('orders the states of a host that counts none: how far, then when', () => {
  const [early, late] = [new Date('2026-11-26T10:00:00Z'), new Date('2026-11-26T10:00:00.001Z')]
  const inOrder = [
    orderByRank(0),
    orderByRank(2),
    // A state that is further counts, also where its time is an earlier one.
    orderByRank(3, late),
    orderByRank(4, early),
    orderByRank(4, late),
    orderByRank(7, new Date('2400-01-01')),
  ].map(BigInt)
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(new Set(inOrder).size).toBe(inOrder.length)
  // The largest fits into a bigint of PostgreSQL.
  expect(BigInt(orderByRank(7, new Date('2400-01-01')))).toBeLessThan(2n ** 63n)
})
