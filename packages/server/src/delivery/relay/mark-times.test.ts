import { describe, expect, it } from 'vitest'
import { createMarkTimes } from './mark-times.ts'

/** A node whose clock is `aheadMs` ahead of the publisher's, whose marks take 20 ms to arrive. */
function openNode(aheadMs: number) {
  let trueMs = 1_000_000
  const now = () => new Date(trueMs + aheadMs)
  const times = createMarkTimes(now)
  return {
    times,
    now,
    pass: (ms: number) => void (trueMs += ms),
    /** Believes a mark that was signed `ms` ago. */
    read: (ms = 20) => times.note(trueMs - ms),
  }
}

describe('createMarkTimes', () => {
  it.each([0, 60, -60, -3_000, -240_000])(
    'takes a mark for newer than a question when it was signed after it, by clocks that are %i ms apart',
    (aheadMs) => {
      const { times, now, pass, read } = openNode(aheadMs)
      read()
      const askedAt = now()
      expect(times.isAfter(askedAt)).toBe(false)
      // It arrives after the question, and was signed before.
      pass(19)
      read(20)
      expect(times.isAfter(askedAt)).toBe(false)
      pass(500)
      read(520)
      expect(times.isAfter(askedAt)).toBe(false)
      pass(700)
      read()
      expect(times.isAfter(askedAt)).toBe(true)
    },
  )

  it('never takes the first mark for newer, however old it is', () => {
    for (const age of [10, 4_000, 60_000]) {
      const { times, now, pass, read } = openNode(0)
      read(age)
      pass(1)
      expect([age, times.isAfter(now())]).toEqual([age, false])
    }
  })

  it('takes no mark for newer that was signed before the question, however long the way of all marks is', () => {
    const { times, now, pass, read } = openNode(0)
    for (let count = 0; count < 20; count += 1) read(1_500)
    const askedAt = now()
    pass(1_400)
    read(1_500)
    expect(times.isAfter(askedAt)).toBe(false)
    pass(1_000)
    read(1_500)
    expect(times.isAfter(askedAt)).toBe(true)
  })

  it.each([3_000, 60_000])(
    'takes no mark for newer where the clock of the node is %i ms ahead, until the mark is later by both clocks',
    (aheadMs) => {
      const { times, now, pass, read } = openNode(aheadMs)
      read()
      const askedAt = now()
      pass(aheadMs)
      read()
      expect(times.isAfter(askedAt)).toBe(false)
      pass(200)
      read()
      expect(times.isAfter(askedAt)).toBe(true)
    },
  )

  it('knows nothing before the first mark', () => {
    const { times, now } = openNode(0)
    expect(times.isAfter(now())).toBe(false)
  })
})
