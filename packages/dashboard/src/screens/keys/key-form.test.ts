import { describe, expect, it } from 'vitest'
import { readLines, toExpiry } from './key-form.ts'

describe('the form of a key', () => {
  it('ends a key so many days from now, or never', () => {
    const now = new Date('2026-11-22T00:00:00.000Z')
    expect(toExpiry('30', now)).toBe('2026-12-22T00:00:00.000Z')
    expect(toExpiry('', now)).toBeNull()
  })

  it('reads one origin in a line', () => {
    expect(readLines(' https://a.example \n\nhttps://b.example')).toEqual([
      'https://a.example',
      'https://b.example',
    ])
    expect(readLines(' \n')).toBeNull()
  })
})
