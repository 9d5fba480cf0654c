import { describe, expect, it } from 'vitest'
import { boolean } from './boolean.ts'
import { fromJsonSchema } from './from-json-schema.ts'
import { number } from './number.ts'
import { oneOf } from './one-of.ts'
import { string } from './string.ts'
import type { Validator } from './validator.ts'

/** The value a validator makes of another, or what it says against it. */
function validate(validator: Validator<unknown, unknown>, value: unknown): unknown {
  const result = validator['~standard'].validate(value)
  if (result instanceof Promise) throw new TypeError('Ours answer at once')
  return result.issues ? result.issues[0]?.message : result.value
}

describe('string', () => {
  it.each<[object, string, string]>([
    [{ url: true }, 'https://a.example/b?c', 'a.example'],
    [{ email: true }, 'ada@example.com', 'ada@example'],
    [{ minLength: 3 }, 'abc', 'ab'],
    [{ maxLength: 3 }, 'abc', 'abcd'],
    [{ prefix: 'sk_' }, 'sk_x', 'ask_x'],
    [{ prefix: 'a.b(' }, 'a.b(c', 'axb(c'],
    [{ pattern: /^a+$/ }, 'aa', 'ab'],
    [{ pattern: '^a+$' }, 'aa', 'ab'],
  ])('with %o takes %s and refuses %s', (options, good, bad) => {
    expect(validate(string(options), good)).toBe(good)
    expect(validate(string(options), bad)).toMatch(/^must /)
  })

  it('counts characters, as JSON Schema does', () => {
    expect(validate(string({ maxLength: 2 }), '😀😀')).toBe('😀😀')
    expect(validate(string({ minLength: 3 }), '😀😀')).toMatch(/at least 3/)
  })

  it('does not repeat the value it refuses', () => {
    expect(validate(string({ prefix: 'sk_' }), 'hunter2')).not.toContain('hunter2')
  })

  it('refuses options that cannot be kept', () => {
    expect(() => string({ pattern: /a/i })).toThrow(/flags "i"/)
    expect(() => string({ prefix: 'a', pattern: /b/ })).toThrow(/not both/)
    expect(() => string({ url: true, email: true })).toThrow(/not both/)
    expect(() => string({ url: true, default: 'no' })).toThrow(/default must be a valid uri/)
  })
})

describe('number', () => {
  it.each<[object, number, unknown]>([
    [{}, 0.5, '5'],
    [{}, 1, Number.NaN],
    [{}, 1, Infinity],
    [{ integer: true }, 3, 3.5],
    [{ positive: true }, 0.1, 0],
    [{ min: 3 }, 3, 2],
    [{ max: 3 }, 3, 4],
  ])('with %o takes %s and refuses %s', (options, good, bad) => {
    expect(validate(number(options), good)).toBe(good)
    expect(validate(number(options), bad)).toMatch(/^must /)
  })
})

describe('boolean and oneOf', () => {
  it('take what they name and nothing like it', () => {
    expect(validate(boolean(), true)).toBe(true)
    expect(validate(boolean(), 'true')).toMatch(/must be a boolean/)
    expect(validate(oneOf(['light', 'dark']), 'dark')).toBe('dark')
    expect(validate(oneOf(['light', 'dark']), 'blue')).toBe('must be one of "light", "dark"')
    expect(validate(oneOf([1, 2]), 2)).toBe(2)
    expect(validate(oneOf([1, 2]), '2')).toMatch(/^must /)
  })

  it('refuse choices that have no type', () => {
    expect(() => oneOf([])).toThrow(/at least one/)
  })
})

describe('a default', () => {
  it('answers for no value, and for no other', () => {
    expect(validate(number({ default: 3 }), undefined)).toBe(3)
    expect(validate(number({ default: 3 }), null)).toMatch(/^must /)
    expect(validate(number(), undefined)).toMatch(/^must /)
    expect(validate(boolean({ default: false }), undefined)).toBe(false)
  })
})

describe('Standard JSON Schema', () => {
  it('is the same on both sides, in the drafts there are', () => {
    const { jsonSchema } = string({ url: true, default: 'https://a.example' })['~standard']
    const target = 'draft-2020-12'
    expect(jsonSchema.output({ target })).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'string',
      format: 'uri',
      default: 'https://a.example',
    })
    expect(jsonSchema.input({ target })).toEqual(jsonSchema.output({ target }))
    expect(jsonSchema.input({ target: 'draft-07' })['$schema']).toContain('draft-07')
    expect(() => jsonSchema.input({ target: 'openapi-3.0' })).toThrow(/openapi-3.0/)
  })
})

describe('fromJsonSchema', () => {
  it.each<[object, unknown, unknown]>([
    [{ type: 'integer', minimum: 1, multipleOf: 2 }, 4, 3],
    [{ enum: ['a', 'b'] }, 'b', 'c'],
    [{ const: 5 }, 5, 6],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'a', 'c'],
    [{ type: 'string', allOf: [{ pattern: '^a' }, { pattern: 'b$' }] }, 'ab', 'ac'],
    [{ $ref: '#/$defs/n', $defs: { n: { type: 'number', exclusiveMaximum: 3 } } }, 2, 3],
    [{ type: ['string', 'null'], format: 'ipv4' }, '192.0.2.1', '192.0.2.256'],
    [{ type: 'string', format: 'date' }, '2026-11-21', '2026-13-21'],
    [{ type: 'array', items: { type: 'integer' } }, [1, 2], [1, 'x']],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { a: 'x' },
      { b: 'x' },
    ],
    [{ type: 'string', format: 'date-time' }, '2026-11-21T06:00:00Z', '2026-11-21'],
    [{ type: 'string', format: 'hostname' }, 'a.example', '-a.example'],
    [{ type: 'string', format: 'uuid' }, '0190b6a4-6b1e-7c3d-8f2a-1d2e3f405162', '0190b6a4'],
  ])('%j takes %s and refuses %s', (schema, good, bad) => {
    const validator: Validator<unknown, unknown> = fromJsonSchema(schema)
    expect(validate(validator, good)).toBe(good)
    expect(validate(validator, bad)).toMatch(/must /)
  })

  it.each<[object, RegExp]>([
    [{ type: 'object', dependentRequired: {} }, /dependentRequired cannot be checked/],
    [{ type: ['string', 'number'] }, /more than one type/],
    [{ enum: ['a', 1] }, /more than one type/],
    [{ type: 'string', enum: [{}] }, /no string, number or boolean/],
    [{ allOf: [{ type: 'string' }, { type: 'number' }] }, /both string and number/],
    [{ type: 'string', not: { const: 'a' } }, /not cannot be checked/],
    [{ type: 'string', format: 'nanoid' }, /format "nanoid" cannot be checked/],
    [{}, /say type/],
    [{ $ref: 'https://elsewhere.example/' }, /cannot be followed/],
  ])('%j is refused', (schema, words) => {
    expect(() => fromJsonSchema(schema)).toThrow(words)
  })
})
