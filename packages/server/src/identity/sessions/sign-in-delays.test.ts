import { describe, expect, it } from 'vitest'
import { createSignInDelays, signInDelayMs } from './sign-in-delays.ts'

describe('signInDelayMs', () => {
  it('doubles after three free tries and never locks anybody out', () => {
    expect([0, 3, 4, 5, 6, 9, 10, 11, 1_000].map(signInDelayMs)).toEqual([
      0, 0, 1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000,
    ])
  })
})

describe('createSignInDelays', () => {
  it('makes one account wait, and no other', () => {
    let now = 0
    const delays = createSignInDelays({ now: () => new Date(now) })
    for (let i = 0; i < 5; i++) delays.recordFailure('ada@example.com')
    expect(delays.waitMs('ada@example.com')).toBe(2_000)
    expect(delays.waitMs('bob@example.com')).toBe(0)
    now = 1_500
    expect(delays.waitMs('ada@example.com')).toBe(500)
    now = 2_000
    expect(delays.waitMs('ada@example.com')).toBe(0)
  })

  it('forgets failures after a success, and after an hour', () => {
    let now = 0
    const delays = createSignInDelays({ now: () => new Date(now) })
    for (let i = 0; i < 20; i++) delays.recordFailure('a')
    delays.recordSuccess('a')
    expect(delays.waitMs('a')).toBe(0)
    for (let i = 0; i < 20; i++) delays.recordFailure('a')
    now = 3_600_001
    delays.recordFailure('a')
    expect(delays.waitMs('a')).toBe(0)
  })

  it('remembers a bounded number of accounts', () => {
    const delays = createSignInDelays({ now: () => new Date(0) })
    for (let i = 0; i < 5; i++) delays.recordFailure('first')
    for (let i = 0; i < 9_999; i++) delays.recordFailure(`other ${i}`)
    expect(delays.waitMs('first')).toBe(2_000)
    delays.recordFailure('one more')
    expect(delays.waitMs('first')).toBe(0)
  })
})
