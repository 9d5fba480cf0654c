import { describe, expect, it } from 'vitest'
import { toOffset } from './to-offset.ts'

const after = (ms: number) => toOffset(new Date(ms).toISOString(), new Date(0).toISOString())

describe('toOffset', () => {
  it('says how long after the first step another was, in words', () => {
    expect(after(400)).toBe('right away')
    expect(after(1000)).toBe('1 second later')
    expect(after(96_000)).toBe('96 seconds later')
    expect(after(12 * 60_000 + 9000)).toBe('12 minutes later')
    expect(after(18 * 3_600_000)).toBe('18 hours later')
    expect(after(18 * 3_600_000 + 61_000)).toBe('18 hours 1 minute later')
    expect(after(28 * 3_600_000)).toBe('1 day 4 hours later')
  })
})
