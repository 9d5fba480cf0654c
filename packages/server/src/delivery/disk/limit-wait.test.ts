import { describe, expect, it } from 'vitest'
import { limitWait } from './limit-wait.ts'

describe('limitWait', () => {
  it('waits for a write', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let isOver = false
    const waiting = limitWait(() => promise, 600_000)().then(() => (isOver = true))
    await new Promise(setImmediate)
    expect(isOver).toBe(false)
    resolve()
    await waiting
  })

  it('does not wait for one that hangs, nor for those after it, until it is over', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const writes = [promise]
    const written: number[] = []
    const write = limitWait((index: number) => {
      written.push(index)
      return writes[index] ?? new Promise<void>(() => {})
    }, 1)
    await write(0)
    await write(1)
    expect(written).toEqual([0, 1])
    resolve()
    await promise
    await write(2)
    expect(written).toEqual([0, 1, 2])
  })
})
