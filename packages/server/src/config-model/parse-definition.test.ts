import { limits, type KeyDefinition } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { parseDefinition } from './parse-definition.ts'

async function parse(schema: Record<string, KeyDefinition>) {
  const result = await parseDefinition(schema)
  if ('violations' in result) throw new Error(JSON.stringify(result.violations))
  return result.parsed
}

async function violationsOf(schema: Record<string, KeyDefinition>) {
  const result = await parseDefinition(schema)
  return 'violations' in result ? result.violations : []
}

/** The faults of one key called `k`, as pointer and code. */
const placesOf = async (declared: KeyDefinition) =>
  (await violationsOf({ k: declared })).map(({ pointer, code }) => `${pointer} ${code}`)

describe('parseDefinition', () => {
  it('makes a boolean without a tier a flag and everything else a secret', async () => {
    const { definition } = await parse({
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

  it('takes an owner and tags for every key, and an end and a kill switch for flags alone', async () => {
    const flag = { type: 'boolean' } as const
    const notes = { owner: 'Growth', tags: ['checkout', 'q1'], expires: '2028-02-29' }
    const { definition } = await parse({
      a: { ...flag, ...notes, killSwitch: true },
      b: { type: 'string', owner: 'Growth', tags: ['checkout'] },
      c: { ...flag, owner: '', tags: [], expires: '', killSwitch: false },
    })
    expect(definition.get('a')).toMatchObject({ ...notes, killSwitch: true })
    expect(definition.get('b')).toMatchObject({ owner: 'Growth', tags: ['checkout'] })
    for (const note of ['owner', 'tags', 'expires', 'killSwitch'])
      expect(definition.get('c')).not.toHaveProperty(note)
  })

  it.each<[Omit<KeyDefinition, 'type'>, string]>([
    [{ owner: ' Growth' }, '/schema/k/owner validation_failed'],
    [{ owner: 'x'.repeat(101) }, '/schema/k/owner validation_failed'],
    [{ owner: 'two\nlines' }, '/schema/k/owner validation_failed'],
    [{ tags: ['ok', 'a,b'] }, '/schema/k/tags/1 validation_failed'],
    [{ tags: ['x'.repeat(41)] }, '/schema/k/tags/0 validation_failed'],
    [{ tags: ['Beta', 'beta'] }, '/schema/k/tags/1 validation_failed'],
    [{ tags: [''] }, '/schema/k/tags/0 validation_failed'],
    [{ tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }, '/schema/k/tags validation_failed'],
    [{ expires: '31.1.2027' }, '/schema/k/expires validation_failed'],
    [{ expires: '2027-02-29' }, '/schema/k/expires validation_failed'],
    [{ tier: 'public', expires: '2027-01-31' }, '/schema/k/expires tier_mismatch'],
    [{ tier: 'secret', killSwitch: true }, '/schema/k/killSwitch tier_mismatch'],
  ])('refuses %j at its place', async (notes, place) => {
    expect(await placesOf({ type: 'boolean', ...notes })).toEqual([place])
  })

  it('requires a key that has no default, unless `required` is false', async () => {
    const { definition } = await parse({
      a: { type: 'string' },
      b: { type: 'boolean', default: false },
      c: { type: 'string', required: false },
    })
    expect([...definition.values()].map(({ required }) => required)).toEqual([true, false, false])
  })

  it('keeps the default of a secret apart from the definition', async () => {
    const { definition, secretDefaults } = await parse({
      token: { type: 'string', default: 'hush' },
    })
    expect(JSON.stringify([...definition])).not.toContain('hush')
    expect(definition.get('token')).toMatchObject({ hasDefault: true })
    expect(secretDefaults.get('token')).toBe('hush')
  })

  it('refuses names that are malformed, reserved, or differ only in their case', async () => {
    const schema = JSON.parse(
      '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"HasOwnProperty":{"type":"string"},"1a":{"type":"string"},"a b":{"type":"string"},"stripeKey":{"type":"string"},"StripeKey":{"type":"string"}}',
    )
    expect((await violationsOf(schema)).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/schema/__proto__ reserved_key',
      '/schema/constructor reserved_key',
      '/schema/HasOwnProperty reserved_key',
      '/schema/1a reserved_key',
      '/schema/a b reserved_key',
      '/schema/StripeKey duplicate_key',
    ])
  })

  it('refuses a flag that is not a boolean', async () => {
    expect(await placesOf({ type: 'string', tier: 'featureFlags' })).toEqual([
      '/schema/k/tier tier_mismatch',
    ])
  })

  it('refuses a default that the definition refuses, without repeating it', async () => {
    expect(await placesOf({ type: 'number', default: 'abc' })).toEqual([
      '/schema/k/default type_mismatch',
    ])
    const violations = await violationsOf({
      k: { type: 'string', constraints: { minLength: 9 }, default: 'hush' },
    })
    expect(violations).toEqual([
      {
        pointer: '/schema/k/default',
        code: 'schema_violation',
        detail: 'Use at least 9 characters.',
      },
    ])
    expect(await placesOf({ type: 'string', default: 'x'.repeat(limits.valueBytes + 1) })).toEqual([
      '/schema/k/default value_too_large',
    ])
    expect(await placesOf({ type: 'number', default: 2 ** 53 })).toEqual([
      '/schema/k/default number_out_of_range',
    ])
  })

  it.each(['undefined', 'null', 'NaN', '[object Object]', 'Invalid Date'])(
    'refuses the default %s, which stands for no value',
    async (text) => {
      for (const tier of ['public', 'secret'] as const)
        expect(await placesOf({ type: 'string', tier, default: text })).toEqual([
          '/schema/k/default validation_failed',
        ])
      expect(await placesOf({ type: 'string', default: `${text} or not` })).toEqual([])
    },
  )

  it('names the nearest keyword for an unknown one', async () => {
    const [violation] = await violationsOf({ k: { type: 'string', constraints: { minLenght: 3 } } })
    expect(violation).toMatchObject({
      pointer: '/schema/k/constraints/minLenght',
      code: 'unknown_field',
    })
    expect(violation?.detail).toContain('Did you mean minLength?')
  })

  it('refuses keywords of another type and values that make no sense', async () => {
    const violationsOf = (
      constraints: Record<string, unknown>,
      type: KeyDefinition['type'] = 'string',
    ) => placesOf({ type, constraints })
    const at = (path: string, code = 'validation_failed') => [
      `/schema/k/constraints/${path} ${code}`,
    ]
    expect(await violationsOf({ minimum: 3 })).toEqual(at('minimum', 'unknown_field'))
    expect(await violationsOf({ minLength: 3 }, 'number')).toEqual(at('minLength', 'unknown_field'))
    expect(await violationsOf({ minLength: -1 })).toEqual(at('minLength'))
    expect(await violationsOf({ pattern: '(' })).toEqual(at('pattern'))
    expect(await violationsOf({ pattern: '(?=a)' })).toEqual(at('pattern'))
    expect(await violationsOf({ format: 'urll' })).toEqual(at('format'))
    expect(await violationsOf({ format: 'int32' })).toEqual(at('format'))
    expect(await violationsOf({ format: 'int32' }, 'number')).toEqual([])
    expect(await violationsOf({ enum: [] })).toEqual(at('enum'))
    expect(await violationsOf({ enum: ['a', 1] })).toEqual(at('enum'))
    expect(await violationsOf({ enum: ['a', 'a'] })).toEqual(at('enum'))
    expect(await violationsOf({ const: 1 })).toEqual(at('const'))
    expect(await violationsOf({ multipleOf: 0 }, 'number')).toEqual(at('multipleOf'))
    expect(await violationsOf({ type: 'integer' }, 'number')).toEqual([])
    expect(await violationsOf({ type: 'integer' })).toEqual(at('type'))
    expect(await violationsOf({ minLength: 5, maxLength: 4 })).toEqual(at('minLength'))
    expect(await violationsOf({ $ref: '#' })).toEqual(at('$ref', 'unknown_field'))
    expect(await violationsOf({ anyOf: [{ const: 'a' }, { pattern: '[' }] })).toEqual(
      at('anyOf/1/pattern'),
    )
    expect(await violationsOf({ not: 3 })).toEqual(at('not'))
    expect(
      await violationsOf({ allOf: [{ allOf: [{ allOf: [{ allOf: [{ not: {} }] }] }] }] }),
    ).toHaveLength(1)
  })

  it('lists every fault of every key at once', async () => {
    const inherited: KeyDefinition = { type: 'number', default: 'x' }
    const violations = await violationsOf({
      a: { type: 'string', tier: 'featureFlags', constraints: { nope: 1 } },
      toString: inherited,
    })
    expect(violations.map(({ pointer }) => pointer)).toEqual([
      '/schema/toString',
      '/schema/a/tier',
      '/schema/a/constraints/nope',
      '/schema/toString/default',
    ])
  })

  it('refuses more keys than a schema may have', async () => {
    const keys = Array.from({ length: limits.keysPerSchema + 1 }, (_, i) => [
      `k${i}`,
      { type: 'string' as const },
    ])
    expect(await violationsOf(Object.fromEntries(keys))).toMatchObject([
      { pointer: '/schema', code: 'too_many_items' },
    ])
  })

  it('refuses constraints that are too much to compile at once, before compiling any', async () => {
    const type = 'string'
    const pattern = '(?:[a-z]?){400}'
    const several = Array.from({ length: 3 }, (_, i) => ({ pattern: `${pattern}${i}` }))
    const nested = Array.from({ length: 20 }, () => ({
      anyOf: Array.from({ length: 20 }, () => ({})),
    }))
    const classes = String.raw`\p{L}`.repeat(21)
    const refused = ['/schema/k/constraints validation_failed']
    expect(await placesOf({ type, constraints: { anyOf: several } })).toEqual(refused)
    expect(await placesOf({ type, constraints: { anyOf: nested } })).toEqual(refused)
    expect(await placesOf({ type, constraints: { pattern: classes } })).toEqual(refused)
    expect(await placesOf({ type, constraints: { anyOf: several.slice(0, 2) } })).toEqual([])
  })
})
