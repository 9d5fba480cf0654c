import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endSpread } from './end-spread.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function openStreams(count: number) {
  const open = new Set(Array.from({ length: count }, (_, index) => index))
  const all = { size: () => open.size, all: () => open, end: (one: number) => open.delete(one) }
  return { open, all }
}

describe('streams that end over a pause', () => {
  it('end evenly, and all of them within it', () => {
    const { open, all } = openStreams(1_000)
    const stop = endSpread(all, 5_000)
    const left = Array.from({ length: 5 }, () => {
      vi.advanceTimersByTime(1_000)
      return open.size
    })
    expect(left).toEqual([800, 600, 400, 200, 0])
    stop()
  })

  it('end too when they open meanwhile, until it is stopped', () => {
    const { open, all } = openStreams(10)
    const stop = endSpread(all, 1_000)
    vi.advanceTimersByTime(900)
    for (let i = 0; i < 10; i += 1) open.add(100 + i)
    vi.advanceTimersByTime(100)
    expect(open.size).toBe(0)
    open.add(200)
    vi.advanceTimersByTime(50)
    expect(open.size).toBe(0)
    stop()
    open.add(300)
    vi.advanceTimersByTime(1_000)
    expect(open.size).toBe(1)
  })

  it('are not all ended in the first moment, when there are fewer than turns', () => {
    const { open, all } = openStreams(3)
    const stop = endSpread(all, 3_000)
    vi.advanceTimersByTime(50)
    expect(open.size).toBe(2)
    stop()
  })
})
