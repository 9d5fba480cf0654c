import { describe, expect, it } from 'vitest'
import { tellReplayed } from './tell-replayed.ts'

describe('tellReplayed', () => {
  it('counts, and says when nothing had failed or more is left', () => {
    expect(tellReplayed({ replayed: 0, hasMore: false })).toBe('No webhook has failed.')
    expect(tellReplayed({ replayed: 1, hasMore: false })).toBe('1 webhook is being replayed.')
    expect(tellReplayed({ replayed: 500, hasMore: true })).toContain('press again')
  })
})
