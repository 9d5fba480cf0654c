import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bucketsTotal, createBuckets, toUnit } from './bucketing.ts'
import { absorb, emptyState, finish } from './murmur3.ts'

interface Vectors {
  readonly murmur3: readonly { readonly text: string; readonly hash: number }[]
  readonly buckets: readonly {
    readonly schemaId: string
    readonly flag: string
    readonly unit: string
    readonly bucket: number
  }[]
}

/** Made by an implementation in another language, which agrees with the published vectors of MurmurHash3. */
const vectors: Vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../docs/guide/flag-bucketing.json'), 'utf8'),
)

const murmur3 = (text: string) => finish(absorb(emptyState, text))

describe('buckets', () => {
  it.each(vectors.murmur3)('hashes "$text" as published', ({ text, hash }) => {
    expect(murmur3(text)).toBe(hash)
  })

  it.each(vectors.buckets)('puts $unit of $flag into $bucket for ever', (vector) => {
    expect(createBuckets(vector.schemaId, vector.flag)(vector.unit)).toBe(vector.bucket)
  })

  it('hashes a text in parts as it hashes the whole, wherever it is cut', () => {
    const text = 'sch_1/flag/Grüße 日本語 🦄 user-4711'
    for (let at = 0; at <= text.length; at += 1) {
      // Not inside of a pair.
      if (/^[\udc00-\udfff]/.test(text.slice(at))) continue
      const parts = absorb(absorb(emptyState, text.slice(0, at)), text.slice(at))
      expect(finish(parts)).toBe(murmur3(text))
    }
  })

  it('counts half of a surrogate pair as U+FFFD, as a TextEncoder does', () => {
    expect(murmur3('a\ud800b')).toBe(murmur3('a\ufffdb'))
  })

  it('deals evenly, and two flags independently of each other', () => {
    const units = Array.from({ length: 20_000 }, (_, index) => `user-${index}`)
    const isIn = (flag: string, unit: string, percent: number) =>
      createBuckets('sch_1', flag)(unit) < percent * 1000
    for (const percent of [1, 10, 50, 90]) {
      const share = units.filter((unit) => isIn('one', unit, percent)).length / units.length
      // Five standard deviations of a fair deal.
      const spread = 5 * Math.sqrt(((percent / 100) * (1 - percent / 100)) / units.length)
      expect(Math.abs(share - percent / 100)).toBeLessThan(spread)
    }
    const both = units.filter((unit) => isIn('one', unit, 50) && isIn('two', unit, 50)).length
    expect(Math.abs(both / units.length - 0.25)).toBeLessThan(0.016)
  })

  it('stays below the total for the largest hash', () => {
    expect(Math.floor(((2 ** 32 - 1) * bucketsTotal) / 2 ** 32)).toBe(bucketsTotal - 1)
  })
})

describe('toUnit', () => {
  it.each([
    ['user-1', 'user-1'],
    [4711, '4711'],
    [-0, '0'],
    ['', undefined],
    [1.5, undefined],
    [2 ** 53, undefined],
    [true, undefined],
    [null, undefined],
    [['a'], undefined],
  ])('reads %j as %j', (attribute, unit) => {
    expect(toUnit(attribute)).toBe(unit)
  })
})
