import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { measurePattern } from './pattern-size.ts'
import { fuzzSeed } from '../../configs/testing/fuzz-seed.ts'

const sizeOf = (source: string) => measurePattern(source).instructions

describe('measurePattern', () => {
  it('counts what is repeated as often as it is repeated', () => {
    expect(sizeOf('abc')).toBe(3)
    expect(sizeOf('[a-z\\]]{10}')).toBe(10)
    expect(sizeOf('(?:ab?){100}')).toBe(300)
    expect(sizeOf('(?:(?:a{10}){10}){10}')).toBe(1_000)
    expect(sizeOf('(?<name>a){2,5}b{3,}')).toBe(22)
    expect(sizeOf('(?:(?:a{0,4}){0,4}){0,4}a')).toBe(149)
    expect(sizeOf('a{0}b{1}')).toBe(2)
    expect(sizeOf(String.raw`\{9\}[{9}]\u{1F600}{2}`)).toBe(6)
  })

  it('counts classes of properties wherever they stand', () => {
    expect(measurePattern(String.raw`\p{L}[\p{N}\P{Lu}]+`).propertyClasses).toBe(3)
  })

  it('is never far below what is compiled', () => {
    const atom = fc.constantFrom('a', '.', '[a-c]', String.raw`\d`, String.raw`\b`, '^', 'b|c')
    const quantifier = fc.constantFrom('', '*', '+?', '{2}', '{3,}', '{0,4}', '?')
    const { source } = fc.letrec<{ source: string; part: string }>((tie) => ({
      source: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      part: fc
        .tuple(
          fc.oneof(
            { depthSize: 'small' },
            atom,
            tie('source').map((text) => `(${text})`),
            tie('source').map((text) => `(?:${text})`),
          ),
          quantifier,
        )
        .map(([text, times]) =>
          text.includes('|') && !text.startsWith('(') ? text : text + times,
        ),
    }))
    let compiled = 0
    fc.assert(
      fc.property(source, (text) => {
        let size: number
        try {
          size = RE2JS.compile(text).programSize()
        } catch {
          return
        }
        compiled++
        if (size > 1.5 * sizeOf(text) + 10) throw new Error(`${text} compiles to ${size}`)
      }),
      { numRuns: 1_000, seed: fuzzSeed },
    )
    expect(compiled).toBeGreaterThan(500)
  })
})
