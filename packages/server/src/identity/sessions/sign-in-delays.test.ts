import { describe, expect, it } from 'vitest'
import { createSignInDelays, signInDelayMs } from './sign-in-delays.ts'

describe('signInDelayMs', () => {
  it('doubles after three free tries and never locks anybody out', () => {
    expect([0, 3, 4, 5, 6, 9, 10, 11, 1_000].map(signInDelayMs)).toEqual([
      0, 0, 1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000,
    ])
  })
})

const by = (account: string, network = '192.0.2.1') => ({ account, network })

describe('createSignInDelays', () => {
  it('makes one network wait for one account, and no other', () => {
    let now = 0
    const delays = createSignInDelays({ now: () => new Date(now) })
    const ada = by('ada@example.com')
    for (let i = 0; i < 5; i++) delays.recordFailure(ada)
    expect(delays.waitMs(ada)).toBe(2_000)
    expect(delays.waitMs(by('bob@example.com'))).toBe(0)
    expect(delays.waitMs(by('ada@example.com', '192.0.2.2'))).toBe(0)
    now = 1_500
    expect(delays.waitMs(ada)).toBe(500)
    now = 2_000
    expect(delays.waitMs(ada)).toBe(0)
  })

  it('forgets failures after a success, and after an hour', () => {
    let now = 0
    const delays = createSignInDelays({ now: () => new Date(now) })
    for (let i = 0; i < 20; i++) delays.recordFailure(by('a'))
    delays.recordSuccess(by('a'))
    expect(delays.waitMs(by('a'))).toBe(0)
    for (let i = 0; i < 20; i++) delays.recordFailure(by('a'))
    now = 3_600_001
    delays.recordFailure(by('a'))
    expect(delays.waitMs(by('a'))).toBe(0)
  })

  it('remembers a bounded number of failures', () => {
    const delays = createSignInDelays({ now: () => new Date(0) })
    for (let i = 0; i < 5; i++) delays.recordFailure(by('first'))
    for (let i = 0; i < 9_999; i++) delays.recordFailure(by(`other ${i}`))
    expect(delays.waitMs(by('first'))).toBe(2_000)
    delays.recordFailure(by('one more'))
    expect(delays.waitMs(by('first'))).toBe(0)
  })
})
