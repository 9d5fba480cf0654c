import { afterEach, describe, expect, it } from 'vitest'
import { createFreshnessWriter, type FreshnessWriter } from './freshness-writer.ts'

const second = (count: number) => new Date(Date.UTC(2026, 10, 21, 6) + count * 1000)

let keeping: FreshnessWriter | undefined
afterEach(() => keeping?.close())

/** Looks as often as it can, and knows how often it did. */
function open() {
  const state = { readAt: undefined as Date | undefined, looks: 0 }
  const saved: Date[] = []
  keeping = createFreshnessWriter({
    readAt() {
      state.looks += 1
      return state.readAt
    },
    async save(asOf) {
      saved.push(asOf)
    },
    pollMs: 1,
  })
  keeping.start()
  const lookAgain = async () => {
    const before = state.looks
    await expect.poll(() => state.looks).toBeGreaterThan(before + 2)
  }
  return { state, saved, keeping, lookAgain }
}

describe('createFreshnessWriter', () => {
  it('saves the first moment, then one a minute, and the last', async () => {
    const { state, saved, keeping, lookAgain } = open()
    await lookAgain()
    expect(saved).toEqual([])
    for (const read of [0, 1, 59, 60, 61]) {
      state.readAt = second(read)
      await lookAgain()
    }
    expect(saved).toEqual([second(0), second(60)])
    await keeping.close()
    expect(saved).toEqual([second(0), second(60), second(61)])
  })
})
