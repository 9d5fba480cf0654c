import { describe, expect, it } from 'vitest'
import { moveRule } from './move-rule.ts'

describe('moveRule', () => {
  it('changes places with the one before or after it', () => {
    expect(moveRule(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c'])
    expect(moveRule(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b'])
  })

  it('leaves the first and the last where they are', () => {
    expect(moveRule(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
    expect(moveRule(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
  })
})
