import { isId } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { createRequestIds } from './request-ids.ts'

describe('request ids', () => {
  it('are ids, each once, in the order they were made', () => {
    const next = createRequestIds()
    const ids = Array.from({ length: 5_000 }, (_, index) => next(1_000_000 + index))
    expect(ids.every((id) => isId('req', id))).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
    expect(next(1_000_000).slice(0, -4)).toBe(ids.at(-1)?.slice(0, -4))
  })
})
