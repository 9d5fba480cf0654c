import { describe, expect, it } from 'vitest'
import { share } from './share.ts'

describe('share', () => {
  it('asks once for all who come within the time, and again after it', async () => {
    let now = 0
    let asked = 0
    const ask = share(
      async () => ++asked,
      1_000,
      () => now,
    )
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
    now = 999
    expect(await ask()).toBe(1)
    now = 1_000
    expect(await ask()).toBe(2)
  })

  it('does not keep a failure', async () => {
    let asked = 0
    const ask = share(
      () => Promise.reject(new Error(`failure ${++asked}`)),
      1_000,
      () => 0,
    )
    await expect(ask()).rejects.toThrow('failure 1')
    await expect(ask()).rejects.toThrow('failure 2')
  })
})
