import { isDeepStrictEqual } from 'node:util'
import { Problem } from '@signalbox/contract'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { readJson, type JsonLimits } from './json.ts'
import { nastyJson } from '../testing/nasty-json.ts'

/** Reads a body, and returns its value or the problem. */
function outcome(
  body: string | Uint8Array,
  limits: JsonLimits = {},
): { value: unknown } | { problem: Problem } {
  try {
    return { value: readJson(typeof body === 'string' ? Buffer.from(body) : body, limits) }
  } catch (error) {
    if (error instanceof Problem) return { problem: error }
    throw error
  }
}

function problemOf(body: string): Problem {
  const result = outcome(body)
  if ('value' in result) throw new Error('accepted')
  return result.problem
}

describe('readJson', () => {
  it('answers each nasty body as the dictionary says', () => {
    expect(nastyJson.length).toBeGreaterThanOrEqual(80)
    const wrong = nastyJson.filter(({ bytes, code }) => {
      const result = outcome(bytes)
      return ('problem' in result ? result.problem.code : undefined) !== code
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('reads what it accepts exactly as JSON.parse does', () => {
    const right = nastyJson.filter(({ code }) => code === undefined)
    for (const { bytes } of right) expect(readJson(bytes)).toEqual(JSON.parse(bytes.toString()))
    expect(readJson(Buffer.from(' {"a" : [1, -2.5e3, "\\u00e9/\\/", true, null, {}]} '))).toEqual({
      a: [1, -2500, 'é//', true, null, {}],
    })
  })

  it('takes texts that a body quotes as they are, and makes those storable that are not', () => {
    const read = (json: string) => readJson(Buffer.from(json), { quotesOthers: true })
    for (const plain of [String.raw`"a\rb"`, String.raw`"\b\f\u001b\u0085"`, String.raw`"\r\n"`]) {
      expect(read(plain)).toBe(JSON.parse(plain))
    }
    expect(read(String.raw`["a\u0000b","\ud83d",{"c\u0000":1}]`)).toEqual([
      'a\uFFFDb',
      '\uFFFD',
      { 'c\uFFFD': 1 },
    ])
    // The rest is judged as in every body.
    const other = nastyJson.filter(({ code }) => code !== undefined && code !== 'ill_formed_text')
    for (const { bytes, code } of other) {
      expect(outcome(bytes, { quotesOthers: true })).toMatchObject({ problem: { code } })
    }
  })

  it('names the place by a JSON pointer and never repeats a value', () => {
    const places = [
      ['{"values":{"a/b~c":[0,"\\u0000hunter2"]}}', 'ill_formed_text', '/values/a~1b~0c/1'],
      ['{"values":{"n":9007199254740993}}', 'number_out_of_range', '/values/n'],
      ['{"a":[{"x":1},{"x":1,"x":2}]}', 'duplicate_key', '/a/1/x'],
      ['{"a":{"__proto__":1}}', 'reserved_key', '/a/__proto__'],
      ['{"a":[1,tru]}', 'invalid_json', '/a/1'],
      ['"hunter2', 'invalid_json', ''],
    ] as const
    for (const [body, code, pointer] of places) {
      const problem = problemOf(body)
      expect(problem.errors).toEqual([{ pointer, code, detail: problem.message }])
      expect(problem.message).not.toContain('hunter2')
    }
  })

  it('says at which line and column a text stops being JSON', () => {
    expect(problemOf('{\n  "a": 1,\n}').message).toBe(
      'Found another character at line 3, column 1, expected a member name in double quotes.',
    )
    expect(problemOf('[1').message).toContain('Found the end of the body at line 1, column 3')
  })

  it('takes linear time for the worst bodies of 4 MiB', () => {
    const worst = [
      '['.repeat(4_000_000),
      `"${'\\u0041'.repeat(650_000)}"`,
      `"${'a'.repeat(4_000_000)}`,
      '9'.repeat(4_000_000),
      `1e${'9'.repeat(4_000_000)}`,
      ' '.repeat(4_000_000),
      `{${Array.from({ length: 19_999 }, (_, i) => `"${String(i).padStart(200, 'k')}":0`).join(',')}}`,
      '\n'.repeat(4_000_000),
    ]
    for (const body of worst) {
      // The processor's time: on a machine that does other things as well, the clock goes on meanwhile.
      const before = process.threadCpuUsage()
      outcome(body)
      const { user, system } = process.threadCpuUsage(before)
      expect((user + system) / 1_000).toBeLessThan(1_000)
    }
  })

  it('respects the limits it is given', () => {
    const body = Buffer.from('{"a":["bb"]}')
    expect(() => readJson(body, { depth: 1 })).toThrow('at most 1 deep')
    expect(() => readJson(body, { nodes: 2 })).toThrow('at most 2 values')
    expect(() => readJson(body, { stringBytes: 1 })).toThrow('at most 1 bytes')
    expect(readJson(body, { depth: 2, nodes: 3, stringBytes: 2 })).toEqual({ a: ['bb'] })
  })
})

describe('control: JSON.parse alone', () => {
  it('takes bodies that are silently changed, lost or dangerous', () => {
    expect(Object.hasOwn(JSON.parse('{"__proto__":1}'), '__proto__')).toBe(true)
    expect(JSON.parse('{"a":1,"a":2}')).toEqual({ a: 2 })
    expect(JSON.stringify(JSON.parse('9007199254740993'))).toBe('9007199254740992')
    const accepted = nastyJson.filter(({ bytes, code }) => {
      try {
        JSON.parse(bytes.toString())
        return code !== undefined
      } catch {
        return false
      }
    })
    expect(accepted.length).toBeGreaterThan(40)
  })
})

/** The rules again, written another way: over the value instead of the text. */
function breaksRule(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return brokenText(value)
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return '-0'
    return Math.abs(value) > Number.MAX_SAFE_INTEGER ? 'number' : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= 32) return 'depth'
  return Reflect.ownKeys(value)
    .filter((key) => !(Array.isArray(value) && key === 'length'))
    .map((key) =>
      key === '__proto__'
        ? 'proto'
        : (brokenText(String(key)) ?? breaksRule(Reflect.get(value, key), depth + 1)),
    )
    .find((fault) => fault !== undefined)
}

function brokenText(text: string): string | undefined {
  if (!text.isWellFormed()) return 'surrogate'
  return /[^\t\n -\uFFFF]/.test(text.replaceAll('\r\n', '')) ? 'control' : undefined
}

/** The smallest input for which the property does not hold. */
function counterexample<T>(property: fc.IProperty<T>, parameters: fc.Parameters<T>): unknown {
  const { failed, counterexample, errorInstance } = fc.check(property, parameters)
  return failed ? { counterexample, errorInstance } : undefined
}

describe('fuzz', () => {
  const scale = inject('scale')
  const pieces = ['{', '}', '[', ']', ',', ':', '"', '\\', '\\u', 'd83d', '0000', '-', '0', '1e9']
  const names = ['__proto__', 'constructor', 'a', '', 'toString', 'é', '\\u0061', 'a b']
  const numbers = ['9007199254740993', '1e400', '-0', '0.1', '5e-324', '12', '-7', '1E2']
  const piece = fc.constantFrom(
    ...pieces,
    ...names,
    ...numbers,
    'true',
    'null',
    ' ',
    '\n',
    '\u0000',
    '\\r',
    '\\n',
    '\\u000d',
  )
  const soup = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''))
  const dictionary = fc
    .constantFrom(...nastyJson.filter(({ bytes }) => bytes.length < 2_000))
    .map(({ bytes }) => bytes.toString())
  const proper = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value))

  const mutated = fc
    .tuple(fc.oneof(proper, dictionary, soup), fc.nat(), fc.nat({ max: 4 }), piece)
    .map(([body, place, cut, insert]) => {
      const at = body.length === 0 ? 0 : place % body.length
      return (body.slice(0, at) + insert + body.slice(at + cut)).toWellFormed()
    })

  it('accepts only what JSON.parse reads alike and what keeps every rule', () => {
    let accepted = 0
    const found = counterexample(
      fc.property(fc.oneof(mutated, soup, proper), (body) => {
        const result = outcome(body)
        if ('problem' in result) return result.problem.status >= 400 && result.problem.status < 500
        accepted++
        const parsed: unknown = JSON.parse(body)
        return isDeepStrictEqual(result.value, parsed) && breaksRule(result.value) === undefined
      }),
      { numRuns: 1_000 * scale, seed: 20_261_121 },
    )
    expect(found).toBeUndefined()
    expect(accepted).toBeGreaterThan(100 * scale)
  })

  it('refuses no proper document, and gives back its exact bytes', () => {
    const found = counterexample(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        fc.pre(breaksRule(value) === undefined)
        const body = JSON.stringify(value)
        return JSON.stringify(readJson(Buffer.from(body))) === body
      }),
      { numRuns: 250 * scale, seed: 7 },
    )
    expect(found).toBeUndefined()
  })

  it('refuses every doubled member, wherever it is', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 })
    const found = counterexample(
      fc.property(name, fc.array(name, { maxLength: 5 }), (twice, others) => {
        fc.pre(breaksRule([twice, ...others]) === undefined && twice !== '__proto__')
        const distinct = others.filter((other) => other !== twice && other !== '__proto__')
        const members = [twice, ...new Set(distinct), twice].map((n) => `${JSON.stringify(n)}:1`)
        return problemOf(`[{${members.join(',')}}]`).code === 'duplicate_key'
      }),
      { numRuns: 100 * scale, seed: 3 },
    )
    expect(found).toBeUndefined()
  })

  it('answers any bytes with a value or a problem', () => {
    const found = counterexample(
      fc.property(fc.uint8Array({ maxLength: 64 }), (body) => {
        const result = outcome(body)
        return 'value' in result || result.problem instanceof Problem
      }),
      { numRuns: 250 * scale, seed: 11 },
    )
    expect(found).toBeUndefined()
    expect(() => outcome(Buffer.alloc(0))).not.toThrow()
  })
})
