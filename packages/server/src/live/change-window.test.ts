import { describe, expect, it } from 'vitest'
import { ChangeWindow, type ChangeRef } from './change-window.ts'

const webhook = (id: string): ChangeRef => ({ topic: 'webhook_delivery', id })

describe('ChangeWindow', () => {
  it('passes the first change of each thing at once, and a repeat once, at the end', () => {
    const window = new ChangeWindow()
    expect(window.add({ topic: 'deployment', id: 'a' })).toBe(true)
    expect(window.add({ topic: 'deployment', id: 'b' })).toBe(true)
    expect(window.add({ topic: 'deployment', id: 'a' })).toBe(false)
    expect(window.add({ topic: 'deployment', id: 'a' })).toBe(false)
    expect(window.flush()).toEqual([{ topic: 'deployment', id: 'a' }])
  })

  it('ends after a window without a change', () => {
    const window = new ChangeWindow()
    window.add({ topic: 'sync', id: 'a' })
    expect(window.isEmpty).toBe(false)
    expect(window.flush()).toEqual([])
    expect(window.isEmpty).toBe(true)
  })

  it('reports a thousand things without ids, in one event a window while they last', () => {
    const window = new ChangeWindow()
    const flood = () => Array.from({ length: 1_000 }, (_, n) => window.add(webhook(`dlv_${n}`)))
    expect(flood().filter(Boolean)).toHaveLength(8)
    expect(window.flush()).toEqual([webhook('')])
    expect(flood().filter(Boolean)).toHaveLength(0)
    expect(window.flush()).toEqual([webhook('')])
    expect(window.flush()).toEqual([])
    expect(window.add(webhook('dlv_1'))).toBe(true)
  })

  it('lets no flood of one topic hold up another', () => {
    const window = new ChangeWindow()
    for (let n = 0; n < 100; n += 1) window.add(webhook(`dlv_${n}`))
    expect(window.add({ topic: 'deployment', id: 'a' })).toBe(true)
  })

  it('takes a change without an id as one of all', () => {
    const window = new ChangeWindow()
    expect(window.add(webhook(''))).toBe(true)
    expect(window.add(webhook('dlv_1'))).toBe(false)
    expect(window.flush()).toEqual([webhook('')])
  })
})
