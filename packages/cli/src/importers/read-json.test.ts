import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson } from './read-json.ts'

it.each([
  ['{\n"a": nope,\n"b": 1\n}', 2],
  ['{\n"a": [1,\n],\n"b": 1\n}', 3],
  ['{\n"a": 1\n"b": 1\n}\n\n', 3],
  ['{\n"a":\n}\n', 3],
  ["{\n'a': 1\n}\n", 2],
  ['[\n1, ,\n2]\n', 2],
  ['[\n1}\n\n]', 2],
  ['{"a": "x\n"}\n\n', 1],
  ['{"a": 1,\n', 2],
  ['', 1],
  ['nope\n\n', 1],
])('a fault of JSON is said with its line: %#', (text, line) => {
  expect(() => parseJson(text)).toThrow(`This is no JSON: line ${line} can't be read.`)
})

it.each([
  ['{\n"a": 1,\n"b": {"a": [{"a": 1}, {"a": 1}]},\n"a": 2\n}', 'Line 4 has "a" a second time'],
  ['[{"b": "a",\n"\\u0062": "{,"}]', 'Line 2 has "b" a second time'],
])('a name that an object has twice is said with its line: %#', (text, message) => {
  expect(() => parseJson(text)).toThrow(message)
})

it('JSON is read as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, undefined, 1)
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
})
