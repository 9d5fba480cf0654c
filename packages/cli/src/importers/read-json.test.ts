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

it('JSON is read as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, undefined, 1)
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
})
