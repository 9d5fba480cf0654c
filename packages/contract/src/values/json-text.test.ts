import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonText } from './json-text.ts'

describe('parseJsonText', () => {
  it.each<[string, string, string]>([
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', '3:3'],
    ['a comma too many', '{\n  "a": 1,\n}', '3:1'],
    ['a name without quotes', '{ a: 1 }', '1:3'],
    ['a word that is none', '[\n\n  nul\n]', '3:3'],
    ['a number that is none', '[01]', '1:2'],
    ['single quotes', "['a']", '1:2'],
    ['a string that does not end', '["a', '1:2'],
    ['an object that does not end', '{"a": 1', '1:8'],
    ['a second value', '{} {}', '1:4'],
    ['nothing', '', '1:1'],
    ['a member that is there twice', '{"a": 1,\n "\\u0061": 2}', '2:2'],
    ['levels without end', '['.repeat(100_000), '1:102'],
  ])('says the place of %s', (_, text, place) => {
    const parsed = parseJsonText(text)
    expect('line' in parsed && `${parsed.line}:${parsed.column}`).toBe(place)
  })

  it('accepts what JSON.parse accepts, and nothing else', () => {
    const small = fc.jsonValue({ maxDepth: 4 })
    const spaced = fc.tuple(small, fc.constantFrom(0, 2, '\t'))
    fc.assert(
      fc.property(spaced, fc.nat(), fc.string({ maxLength: 2 }), ([value, space], at, piece) => {
        const text = JSON.stringify(value, undefined, space)
        expect(parseJsonText(text)).toEqual({ value: JSON.parse(text) })
        const place = at % (text.length + 1)
        const damaged = text.slice(0, place) + piece + text.slice(place + 1)
        const parsed = parseJsonText(damaged)
        const isTwice = 'detail' in parsed && parsed.detail.includes('twice')
        expect(isTwice || 'value' in parsed === isJson(damaged)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('never repeats the text', () => {
    expect(JSON.stringify(parseJsonText('{"key": canary}'))).not.toContain('canary')
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
