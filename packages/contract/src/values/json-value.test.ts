import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, sameValue, toCanonical, toShortText, typeOfValue } from './json-value.ts'

/** Returns a value with the members of every object in the opposite order. */
function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, reverse(member)] as const)
      .toReversed(),
  )
}

describe('the canonical form of a value', () => {
  it('is the same for equal values, in whatever order their members come', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4, withNullPrototype: false }), (object) => {
        const value = JSON.parse(JSON.stringify(object))
        const other = JSON.parse(JSON.stringify(reverse(value)))
        expect(canonicalJson(other)).toBe(canonicalJson(value))
        // JSON.stringify writes a stored value, and its text is the same.
        expect(JSON.stringify(toCanonical(other))).toBe(canonicalJson(value))
        expect(toCanonical(value)).toEqual(value)
        expect(sameValue(value, other)).toBe(true)
      }),
    )
  })

  it('keeps the order of lists, and tells a text from a number', () => {
    expect(sameValue([1, 2], [2, 1])).toBe(false)
    expect(sameValue({ a: 1 }, { a: '1' })).toBe(false)
    expect(sameValue({}, [])).toBe(false)
  })
})

it('a value has one type', () => {
  expect([[], {}, 'a', 1, true, null, undefined].map(typeOfValue)).toEqual([
    'json',
    'json',
    'string',
    'number',
    'boolean',
    undefined,
    undefined,
  ])
})

it('a short text is one line', () => {
  expect(toShortText({ b: 1, a: ['x'] })).toBe('{"a":["x"],"b":1}')
  expect(toShortText(['x'.repeat(100)], 10)).toBe('["xxxxxxxx…')
})
