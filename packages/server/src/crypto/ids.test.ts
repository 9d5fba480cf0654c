import { isId } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { newId } from './ids.ts'

describe('newId', () => {
  it('makes ids of the published form', () => {
    const id = newId('env', new Date('2026-11-21T05:47:00.123Z'))
    expect(isId('env', id)).toBe(true)
    expect(isId('org', id)).toBe(false)
  })

  it('sorts by the time it was made, to the millisecond', () => {
    const start = Date.UTC(2026, 0, 1)
    const ids = Array.from({ length: 200 }, (_, i) => newId('ver', new Date(start + i)))
    expect(ids.toSorted()).toEqual(ids)
  })

  it('does not repeat within a millisecond', () => {
    const now = new Date()
    const ids = new Set(Array.from({ length: 50_000 }, () => newId('req', now)))
    expect(ids.size).toBe(50_000)
  })

  it('covers every time until the year 10889', () => {
    expect(isId('org', newId('org', new Date(0)))).toBe(true)
    expect(isId('org', newId('org', new Date(2 ** 48 - 1)))).toBe(true)
  })
})
