import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsGlob } from './environment-globs.ts'

describe('fitsGlob', () => {
  it('keeps a star within a part of the name, and lets two cross', () => {
    expect(fitsGlob('preview/*', 'preview/pr-42')).toBe(true)
    expect(fitsGlob('preview/*', 'preview/eu/pr-42')).toBe(false)
    expect(fitsGlob('preview/**', 'preview/eu/pr-42')).toBe(true)
    expect(fitsGlob('**/eu', 'preview/42/eu')).toBe(true)
    expect(fitsGlob('prod*', 'prod')).toBe(true)
  })

  it('takes a question mark for exactly one character', () => {
    expect(fitsGlob('qa-?', 'qa-1')).toBe(true)
    expect(fitsGlob('qa-?', 'qa-')).toBe(false)
    expect(fitsGlob('qa-?', 'qa-12')).toBe(false)
    expect(fitsGlob('a?b', 'a/b')).toBe(false)
  })

  it('ignores case, and fits the whole name', () => {
    expect(fitsGlob('Prod', 'PROD')).toBe(true)
    expect(fitsGlob('prod', 'production')).toBe(false)
    expect(fitsGlob('prod', 'my-prod')).toBe(false)
  })

  it('takes what is special in regular expressions literally', () => {
    for (const text of ['a.c', '(a+)+$', '[ab]', '^a', 'a|b', '\\d', 'a{2}', '$&']) {
      expect(fitsGlob(text, text)).toBe(true)
    }
    expect(fitsGlob('a.c', 'abc')).toBe(false)
    expect(fitsGlob('[ab]', 'a')).toBe(false)
    expect(fitsGlob('.*', 'production')).toBe(false)
  })

  it('agrees with a translation to a regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '-'), maxLength: 12 })
    const glob = fc
      .array(fc.constantFrom('a', 'b', '/', '-', '*', '?', '**'), { maxLength: 8 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(glob, text, (pattern, name) => {
        const source = pattern.replaceAll(/\*+|\?/g, (found) =>
          found === '?' ? '[^/]' : found === '*' ? '[^/]*' : '.*',
        )
        expect(fitsGlob(pattern, name)).toBe(new RegExp(`^(?:${source})$`).test(name))
      }),
      { numRuns: 5000, seed: 20_261_121 },
    )
  })

  it('ends soon on a pattern that makes backtracking explode', () => {
    expect(fitsGlob(`${'*a'.repeat(127)}b`, 'a'.repeat(255))).toBe(false)
  })
})
