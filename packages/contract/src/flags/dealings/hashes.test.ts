import { createHash } from 'node:crypto'
import { crc32 as zlibCrc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { md5 } from './md5.ts'
import { sha1 } from './sha1.ts'
import { crc32, fnv1a } from './short-hashes.ts'

const texts = [
  '',
  'a',
  'Grüße 日本語 🦄',
  'half \ud800 a pair',
  ...Array.from({ length: 200 }, (_, length) => 'x'.repeat(length)),
  'flag.3fbf2fd5.user-4711',
]

describe('the hashes of foreign deals', () => {
  it.each(['md5', 'sha1'] as const)('%s is that of the platform, at every length', (name) => {
    for (const text of texts) {
      const own = name === 'md5' ? Buffer.from(md5(text)).toString('hex') : sha1(text)
      expect(own).toBe(createHash(name).update(text).digest('hex'))
    }
  })

  it('crc32 is that of the platform', () => {
    for (const text of texts) expect(crc32(text)).toBe(zlibCrc32(text))
  })

  // Vectors of http://www.isthe.com/chongo/src/fnv/test_fnv.c
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('fnv1a of "%s" is as published', (text, hash) => {
    expect(fnv1a(text)).toBe(hash)
  })
})
