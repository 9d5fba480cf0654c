import { limits, type KeyDefinition } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { parseDefinition } from './parse-definition.ts'

function parse(schema: Record<string, KeyDefinition>) {
  const result = parseDefinition(schema)
  if ('faults' in result) throw new Error(JSON.stringify(result.faults))
  return result.parsed
}

function faultsOf(schema: Record<string, KeyDefinition>) {
  const result = parseDefinition(schema)
  return 'faults' in result ? result.faults : []
}

/** The faults of one key called `k`, as pointer and code. */
const placesOf = (declared: KeyDefinition) =>
  faultsOf({ k: declared }).map(({ pointer, code }) => `${pointer} ${code}`)

describe('parseDefinition', () => {
  it('makes a boolean without a tier a flag and everything else a secret', () => {
    const { definition } = parse({
      a: { type: 'boolean' },
      b: { type: 'string' },
      c: { type: 'number' },
      d: { type: 'boolean', tier: 'public' },
      e: { type: 'boolean', tier: 'secret' },
    })
    expect([...definition].map(([key, { tier }]) => `${key} ${tier}`)).toEqual([
      'a featureFlags',
      'b secret',
      'c secret',
      'd public',
      'e secret',
    ])
  })

  it('requires a key that has no default, unless told otherwise', () => {
    const { definition } = parse({
      a: { type: 'string' },
      b: { type: 'boolean', default: false },
      c: { type: 'string', required: false },
    })
    expect([...definition.values()].map(({ required }) => required)).toEqual([true, false, false])
  })

  it('keeps the default of a secret apart from the definition', () => {
    const { definition, secretDefaults } = parse({ token: { type: 'string', default: 'hush' } })
    expect(JSON.stringify([...definition])).not.toContain('hush')
    expect(definition.get('token')).toMatchObject({ hasDefault: true })
    expect(secretDefaults.get('token')).toBe('hush')
  })

  it('refuses names that are malformed, reserved, or twins but for their case', () => {
    const schema = JSON.parse(
      '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"HasOwnProperty":{"type":"string"},"1a":{"type":"string"},"a b":{"type":"string"},"stripeKey":{"type":"string"},"StripeKey":{"type":"string"}}',
    )
    expect(faultsOf(schema).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/schema/__proto__ reserved_key',
      '/schema/constructor reserved_key',
      '/schema/HasOwnProperty reserved_key',
      '/schema/1a reserved_key',
      '/schema/a b reserved_key',
      '/schema/StripeKey duplicate_key',
    ])
  })

  it('refuses a flag that is not a boolean', () => {
    expect(placesOf({ type: 'string', tier: 'featureFlags' })).toEqual([
      '/schema/k/tier tier_mismatch',
    ])
  })

  it('refuses a default that the definition refuses, without repeating it', () => {
    expect(placesOf({ type: 'number', default: 'abc' })).toEqual([
      '/schema/k/default type_mismatch',
    ])
    const faults = faultsOf({
      k: { type: 'string', constraints: { minLength: 9 }, default: 'hush' },
    })
    expect(faults).toEqual([
      {
        pointer: '/schema/k/default',
        code: 'schema_violation',
        detail: 'Give at least 9 characters.',
      },
    ])
    expect(placesOf({ type: 'string', default: 'x'.repeat(limits.valueBytes + 1) })).toEqual([
      '/schema/k/default value_too_large',
    ])
    expect(placesOf({ type: 'number', default: 2 ** 53 })).toEqual([
      '/schema/k/default number_out_of_range',
    ])
  })

  it('names the nearest keyword for an unknown one', () => {
    const [fault] = faultsOf({ k: { type: 'string', constraints: { minLenght: 3 } } })
    expect(fault).toMatchObject({
      pointer: '/schema/k/constraints/minLenght',
      code: 'unknown_field',
    })
    expect(fault?.detail).toContain('Did you mean minLength?')
  })

  it('refuses keywords of another type and values that make no sense', () => {
    const places = (constraints: Record<string, unknown>, type: KeyDefinition['type'] = 'string') =>
      placesOf({ type, constraints })
    const at = (path: string, code = 'validation_failed') => [
      `/schema/k/constraints/${path} ${code}`,
    ]
    expect(places({ minimum: 3 })).toEqual(at('minimum', 'unknown_field'))
    expect(places({ minLength: 3 }, 'number')).toEqual(at('minLength', 'unknown_field'))
    expect(places({ minLength: -1 })).toEqual(at('minLength'))
    expect(places({ pattern: '(' })).toEqual(at('pattern'))
    expect(places({ pattern: '(?=a)' })).toEqual(at('pattern'))
    expect(places({ format: 'urll' })).toEqual(at('format'))
    expect(places({ format: 'int32' })).toEqual(at('format'))
    expect(places({ format: 'int32' }, 'number')).toEqual([])
    expect(places({ enum: [] })).toEqual(at('enum'))
    expect(places({ enum: ['a', 1] })).toEqual(at('enum'))
    expect(places({ enum: ['a', 'a'] })).toEqual(at('enum'))
    expect(places({ const: 1 })).toEqual(at('const'))
    expect(places({ multipleOf: 0 }, 'number')).toEqual(at('multipleOf'))
    expect(places({ type: 'integer' }, 'number')).toEqual([])
    expect(places({ type: 'integer' })).toEqual(at('type'))
    expect(places({ minLength: 5, maxLength: 4 })).toEqual(at('minLength'))
    expect(places({ $ref: '#' })).toEqual(at('$ref', 'unknown_field'))
    expect(places({ anyOf: [{ const: 'a' }, { pattern: '[' }] })).toEqual(at('anyOf/1/pattern'))
    expect(places({ not: 3 })).toEqual(at('not'))
    expect(places({ allOf: [{ allOf: [{ allOf: [{ allOf: [{ not: {} }] }] }] }] })).toHaveLength(1)
  })

  it('lists every fault of every key at once', () => {
    const inherited: KeyDefinition = { type: 'number', default: 'x' }
    expect(
      faultsOf({
        a: { type: 'string', tier: 'featureFlags', constraints: { nope: 1 } },
        toString: inherited,
      }).map(({ pointer }) => pointer),
    ).toEqual([
      '/schema/toString',
      '/schema/a/tier',
      '/schema/a/constraints/nope',
      '/schema/toString/default',
    ])
  })

  it('refuses more keys than a schema may have', () => {
    const keys = Array.from({ length: limits.keysPerSchema + 1 }, (_, i) => [
      `k${i}`,
      { type: 'string' as const },
    ])
    expect(faultsOf(Object.fromEntries(keys))).toMatchObject([
      { pointer: '/schema', code: 'too_many_items' },
    ])
  })
})
