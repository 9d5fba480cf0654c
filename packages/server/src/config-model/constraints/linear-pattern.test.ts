import { limits } from '@signalbox/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePattern } from './linear-pattern.ts'
import { fuzzSeed } from '../../configs/testing/fuzz-seed.ts'

function compile(source: string) {
  const parsed = parsePattern(source)
  if ('violation' in parsed) throw new Error(parsed.violation)
  return parsed.pattern
}

function violationOf(source: string): string {
  const parsed = parsePattern(source)
  return 'violation' in parsed ? parsed.violation : ''
}

describe('parsePattern', () => {
  it('matches anywhere in the text, as JSON Schema asks', () => {
    expect(compile('b+').test('abbc')).toBe(true)
    expect(compile('^b+$').test('abbc')).toBe(false)
  })

  it('keeps patterns apart by their text', () => {
    expect(String(compile('^a$'))).toBe('^a$')
  })

  it('refuses what cannot be matched in linear time and says so', () => {
    expect(violationOf('(?=a)b')).toContain('Lookahead')
    expect(violationOf('(?!a)b')).toContain('Lookahead')
    expect(violationOf('(?<=a)b')).toContain('lookbehind')
    expect(violationOf('(?<!a)b')).toContain('lookbehind')
    expect(violationOf(String.raw`(a)\1`)).toContain('Backreferences')
    expect(violationOf(String.raw`(?<n>a)\k<n>`)).toContain('Backreferences')
    expect(violationOf(String.raw`(a)\\1`)).toBe('')
  })

  it('refuses what only one of JavaScript and RE2 understands', () => {
    expect(violationOf('a++')).toContain('JavaScript')
    expect(violationOf('[[:alpha:]]')).toContain('JavaScript')
    expect(violationOf('(')).toContain('JavaScript')
    expect(violationOf(String.raw`\p{Script=Greek}`)).toContain('RE2')
    expect(violationOf(String.raw`\uD83D\uDE00`)).toContain(String.raw`\u{1F600}`)
  })

  it('refuses patterns that are too long or grow too large', () => {
    expect(violationOf('a'.repeat(limits.patternBytes + 1))).toContain('1024 bytes')
    expect(violationOf('[a-z]{1000}')).toBe('')
    expect(violationOf('[a-z]{1000}[a-z]{1000}')).toContain('repeats too much')
    expect(violationOf('((a{30}){30}){30}')).not.toBe('')
  })

  it('agrees with JavaScript on every text', () => {
    const atom = fc.constantFrom(
      'a',
      '.',
      '[a-c]',
      '[^a]',
      String.raw`\d`,
      String.raw`\s`,
      String.raw`\S`,
      String.raw`\w`,
      String.raw`[\s_]`,
      String.raw`[^\S]`,
      '(?:ab)',
      '(b|c)',
      String.raw`\.`,
      '[.]',
      String.raw`\u{1F600}`,
      '^',
      '$',
      String.raw`\b`,
    )
    const quantifier = fc.constantFrom('', '*', '+?', '{2}')
    const source = fc
      .array(fc.tuple(atom, quantifier), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.map((part) => part.join('')).join(''))
    const unit = fc.constantFrom(
      'a',
      'b',
      'c',
      '1',
      '_',
      '.',
      ' ',
      '\n',
      '\r',
      '\u2028',
      '\u00A0',
      '\u200B',
      '\v',
      '\uFEFF',
      '\u{1F600}',
      'ä',
    )
    const text = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''))
    fc.assert(
      fc.property(source, text, (pattern, value) => {
        const parsed = parsePattern(pattern)
        if ('violation' in parsed) return
        expect(parsed.pattern.test(value), `${pattern} on ${JSON.stringify(value)}`).toBe(
          new RegExp(pattern, 'u').test(value),
        )
      }),
      { numRuns: 2_000, seed: fuzzSeed },
    )
  })
})
