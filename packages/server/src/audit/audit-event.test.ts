import { describe, expect, it } from 'vitest'
import { toKeptUserAgent } from './audit-event.ts'

describe('toKeptUserAgent', () => {
  it('keeps one line of at most 256 characters', () => {
    expect(toKeptUserAgent(undefined)).toBeNull()
    expect(toKeptUserAgent('curl/8\nforged line')).toBe('curl/8 forged line')
    expect(toKeptUserAgent('x'.repeat(1_000))).toHaveLength(256)
  })
})
