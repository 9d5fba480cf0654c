import { describe, expect, it } from 'vitest'
import { createFirstReads } from './first-reads.ts'

describe('createFirstReads', () => {
  it('finds a read first once an hour for each key and scope, and only when it was remembered', () => {
    let now = new Date('2026-11-21T06:00:00Z')
    const reads = createFirstReads(() => now)
    expect(reads.isFirst('key_1', 'a')).toBe(true)
    expect(reads.isFirst('key_1', 'a')).toBe(true)
    reads.remember('key_1', 'a')
    expect(reads.isFirst('key_1', 'a')).toBe(false)
    expect(reads.isFirst('key_2', 'a')).toBe(true)
    expect(reads.isFirst('key_1', 'b')).toBe(true)
    now = new Date(now.getTime() + 3_600_000)
    expect(reads.isFirst('key_1', 'a')).toBe(true)
  })
})
