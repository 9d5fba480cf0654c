import { describe, expect, it } from 'vitest'
import { cleanJson, cutText, toStorableText } from './text.ts'

const half = '\uD83D'
const otherHalf = '\uDE00'
const face = `${half}${otherHalf}`

describe('a text of others', () => {
  it.each([
    ['plain', 'plain'],
    ['a\0b', 'a\uFFFDb'],
    ['\0', '\uFFFD'],
    [face, face],
    [half, '\uFFFD'],
    [`${otherHalf}${half}`, '\uFFFD\uFFFD'],
    ['ABC\0-1', 'ABC\uFFFD-1'],
    ['a\r\f\u001b\u0085b', 'a\r\f\u001b\u0085b'],
  ])('%j is stored as %j', (text, stored) => {
    expect(toStorableText(text)).toBe(stored)
  })
})

describe('a cut', () => {
  it.each([
    ['abc', 5, 'abc'],
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    [`ab${face}`, 4, `ab${face}`],
    [`ab${face}`, 3, 'ab'],
    [`a${face}b`, 3, `a${face}`],
    [face, 1, ''],
    ['abc', 0, ''],
    ['', 4, ''],
  ])('of %j to %i is %j', (text, length, cut) => {
    expect(cutText(text, length)).toBe(cut)
  })

  it('of well-formed text is well-formed at every length', () => {
    const text = face.repeat(20)
    for (let length = 0; length <= text.length; length += 1) {
      expect(cutText(text, length).isWellFormed()).toBe(true)
    }
  })
})

describe('JSON of others', () => {
  it.each([
    [String.raw`"a\u0000b"`, 'a\uFFFDb'],
    [String.raw`"\ud83d\ude00"`, face],
    [String.raw`"\uD83D\uDE00"`, face],
    [String.raw`"\ud83d"`, '\uFFFD'],
    [String.raw`"\ude00\ud83d"`, '\uFFFD\uFFFD'],
    [String.raw`"\ud83d\ud83d\ude00"`, `\uFFFD${face}`],
    [String.raw`"\ud83dA"`, '\uFFFDA'],
    [String.raw`"\ud83d\u0041"`, '\uFFFDA'],
    [`"\uD83D"`, '\uFFFD'],
    // A backslash that is escaped begins no escape.
    [String.raw`"\\u0000"`, String.raw`\u0000`],
    [String.raw`"\\\u0000"`, '\\\uFFFD'],
    [String.raw`"\\ud83d\\"`, '\\ud83d\\'],
    [String.raw`"\u00e9\n\"\/"`, 'é\n"/'],
    [String.raw`{"a\u0000":["\udfff"]}`, { 'a\uFFFD': ['\uFFFD'] }],
  ])('%s is read as %j', (json, value) => {
    expect(JSON.parse(cleanJson(json))).toEqual(value)
  })

  it('is left as it is where all of it can be stored', () => {
    const json = String.raw`{"a":"\\u00e9 \u00e9 \b\f\r\t","b":[1,null,"😀\ud83d\ude00"]}`
    expect(cleanJson(json)).toBe(json)
  })

  it('takes no stack, whatever its depth', () => {
    const depth = 100_000
    const json = `${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`
    expect(cleanJson(json)).toContain(String.raw`"\ufffd"`)
  })
})
