import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSharedCounts, type SharedCounts } from './node-counts.ts'
import { defaultRateLimits } from './rate-classes.ts'
import { createRateLimiter } from './rate-limit.ts'

const perSecond = 100
const burst = 320
const rateLimits = {
  ...defaultRateLimits,
  delivery: { perSecond, burst },
  deliveryNode: { perSecond, burst },
  deliveryShort: { perSecond, burst },
}

/** Opens processes of one node, which share their counts unless they are `apart`. */
function open(processes: number, { apart = false } = {}) {
  const clock = { ms: 1_000_000 }
  const shared: SharedCounts[] = Array.from({ length: processes }, (_, from) =>
    createSharedCounts(processes, (message) => {
      if (apart) return
      for (const [to, counts] of shared.entries()) if (to !== from) counts.receive(from, message)
    }),
  )
  const limiters = shared.map((counts) => createRateLimiter(rateLimits, () => clock.ms, counts))
  return { clock, shared, limiters }
}

const asker = {
  credentialAtAddress: 'key at 192.0.2.1',
  credential: 'key',
  organization: 'org',
  network: undefined,
}

/** Takes turns at the processes `times` over, and returns how many requests passed. */
async function takeInTurns(takes: readonly (() => boolean)[], times: number): Promise<number> {
  let passed = 0
  for (let at = 0; at < times; at += 1) {
    for (const take of takes) if (take()) passed += 1
    await nextTurn()
  }
  return passed
}

const processes = 4

describe('the limits of a node of several processes', () => {
  it('let a burst and the rate through as one process does, and a sixteenth more at most', async () => {
    const { clock, limiters } = open(processes)
    const takes = limiters.map((limiter) => {
      const bucket = limiter.bucket('delivery')
      return () => bucket.take('a') === 0
    })
    const passed = await takeInTurns(takes, burst)
    expect(passed).toBeGreaterThanOrEqual(burst)
    expect(passed).toBeLessThanOrEqual(burst * (1 + 1 / 16))
    clock.ms += 1_000
    // Takes what passed beyond the burst off the next ones.
    const later = passed + (await takeInTurns(takes, burst))
    expect(later).toBeGreaterThanOrEqual(burst + perSecond)
    expect(later).toBeLessThanOrEqual((burst + perSecond) * (1 + 1 / 16))
  })

  it('refuse nobody early who asks one process alone', async () => {
    const { limiters } = open(processes)
    const bucket = limiters[2]?.bucket('delivery')
    expect(await takeInTurns([() => bucket?.take('a') === 0], 2 * burst)).toBe(burst)
  })

  it('hold for the rate of the whole node', async () => {
    const { limiters } = open(processes)
    const takes = limiters.map((limiter) => {
      const rate = limiter.openFairRate({ node: 'deliveryNode', short: 'deliveryShort' })
      return () => rate.take(asker) === undefined
    })
    const passed = await takeInTurns(takes, burst)
    expect(passed).toBeGreaterThan(burst / 2)
    expect(passed).toBeLessThanOrEqual(burst * (1 + 1 / 16))
  })

  it('control: processes that share nothing let each the whole burst through', async () => {
    const { limiters } = open(processes, { apart: true })
    const takes = limiters.map((limiter) => {
      const bucket = limiter.bucket('delivery')
      return () => bucket.take('a') === 0
    })
    expect(await takeInTurns(takes, burst)).toBe(processes * burst)
  })

  it('give back what a request has not used', async () => {
    const { limiters } = open(2)
    const [one, other] = limiters.map((limiter) => limiter.bucket('delivery'))
    for (let at = 0; at < burst; at += 1) one?.take('a')
    for (let at = 0; at < burst; at += 1) one?.refund('a')
    await nextTurn()
    expect(await takeInTurns([() => other?.take('a') === 0], burst)).toBe(burst)
  })
})

describe('what the processes of a node hold', () => {
  it('is counted for all, and taken back with the process that ends', async () => {
    const { shared } = open(3)
    const [first, second, third] = shared.map((counts) => counts.openHeld('streams'))
    first?.note('a', 1)
    second?.note('a', 1)
    second?.note('b', 1)
    await nextTurn()
    expect([first, second, third].map((held) => held?.ofOthers('a'))).toEqual([1, 1, 2])
    expect([...(third?.listOthers() ?? [])]).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    shared[2]?.forget(1)
    first?.note('a', -1)
    await nextTurn()
    expect([third?.ofOthers('a'), third?.sumOfOthers()]).toEqual([0, 0])
  })
})
