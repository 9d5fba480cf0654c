import { describe, expect, it } from 'vitest'
import { HintWindow, type Hint } from './hint-window.ts'

const webhook = (id: string): Hint => ({ topic: 'webhook_delivery', id })

describe('HintWindow', () => {
  it('passes the first hint of each thing at once, and a repeat once, at the end', () => {
    const window = new HintWindow()
    expect(window.admit({ topic: 'deployment', id: 'a' })).toBe(true)
    expect(window.admit({ topic: 'deployment', id: 'b' })).toBe(true)
    expect(window.admit({ topic: 'deployment', id: 'a' })).toBe(false)
    expect(window.admit({ topic: 'deployment', id: 'a' })).toBe(false)
    expect(window.turn()).toEqual([{ topic: 'deployment', id: 'a' }])
  })

  it('ends when a window has passed in which nothing came', () => {
    const window = new HintWindow()
    window.admit({ topic: 'sync', id: 'a' })
    expect(window.isEmpty).toBe(false)
    expect(window.turn()).toEqual([])
    expect(window.isEmpty).toBe(true)
  })

  it('names none of a thousand, and stays with one hint a window while they come', () => {
    const window = new HintWindow()
    const flood = () => Array.from({ length: 1_000 }, (_, n) => window.admit(webhook(`dlv_${n}`)))
    expect(flood().filter(Boolean)).toHaveLength(8)
    expect(window.turn()).toEqual([webhook('')])
    expect(flood().filter(Boolean)).toHaveLength(0)
    expect(window.turn()).toEqual([webhook('')])
    expect(window.turn()).toEqual([])
    expect(window.admit(webhook('dlv_1'))).toBe(true)
  })

  it('lets no flood of one topic hold up another', () => {
    const window = new HintWindow()
    for (let n = 0; n < 100; n += 1) window.admit(webhook(`dlv_${n}`))
    expect(window.admit({ topic: 'deployment', id: 'a' })).toBe(true)
  })

  it('takes a hint that names none as one of all', () => {
    const window = new HintWindow()
    expect(window.admit(webhook(''))).toBe(true)
    expect(window.admit(webhook('dlv_1'))).toBe(false)
    expect(window.turn()).toEqual([webhook('')])
  })
})
