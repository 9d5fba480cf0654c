import { describe, expect, it } from 'vitest'
import { opensAtMs, spendCall } from './gcra.ts'

const rate = { intervalMs: 100, burst: 3 }

/** Makes a call at each moment, and returns those that were allowed. */
function callAt(moments: readonly number[]): number[] {
  let spentUntilMs = 0
  return moments.filter((nowMs) => {
    if (opensAtMs(rate, spentUntilMs) > nowMs) return false
    spentUntilMs = spendCall(rate, spentUntilMs, nowMs)
    return true
  })
}

describe('the generic cell rate algorithm', () => {
  it('allows a burst after a pause, then one call an interval', () => {
    expect(callAt([1000, 1000, 1000, 1000, 1099, 1100, 1150, 1200])).toEqual([
      1000, 1000, 1000, 1100, 1200,
    ])
  })

  it('never allows more than the burst and one call an interval, however calls come', () => {
    const moments = Array.from({ length: 5_000 }, (_, at) => at * 7 + (at % 13) * 3).toSorted(
      (one, other) => one - other,
    )
    const allowed = callAt(moments)
    for (const [first, from] of allowed.entries()) {
      for (const [offset, to] of allowed.slice(first).entries()) {
        expect(offset + 1).toBeLessThanOrEqual(rate.burst + (to - from) / rate.intervalMs)
        if (offset > 50) break
      }
    }
    expect(allowed.length).toBeGreaterThan(300)
  })

  it('saves up no more than a burst', () => {
    expect(callAt([0, 10_000, 10_000, 10_000, 10_000])).toHaveLength(4)
  })
})
