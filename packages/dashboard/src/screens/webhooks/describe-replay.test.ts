import { describe, expect, it } from 'vitest'
import { describeReplay } from './describe-replay.ts'

describe('describeReplay', () => {
  it('counts, and says when nothing had failed or more is left', () => {
    expect(describeReplay({ replayed: 0, hasMore: false })).toBe('No webhook has failed.')
    expect(describeReplay({ replayed: 1, hasMore: false })).toBe('1 webhook is being replayed.')
    expect(describeReplay({ replayed: 500, hasMore: true })).toContain('press again')
  })
})
