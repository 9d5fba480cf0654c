import { limits, numberFormats, textFormats, type KeyDefinition } from '@signalbox/contract'
import { formatNames } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findValueViolation } from './check-value.ts'
import { checkValues } from './check-values.ts'
import { compileConstraints } from './compile-constraints.ts'
import { findConstraintViolations } from './constraint-vocabulary.ts'
import { parseDefinition } from '../parse-definition.ts'
import { fuzzSeed } from '../../configs/testing/fuzz-seed.ts'

async function check(schema: Record<string, KeyDefinition>, values: Record<string, unknown>) {
  const result = await parseDefinition(schema)
  if ('violations' in result) throw new Error(JSON.stringify(result.violations))
  const checked = await checkValues(result.parsed.definition, values)
  return 'violations' in checked ? checked.violations : []
}

const violationOf = async (declared: KeyDefinition, value: unknown) =>
  (await check({ k: declared }, { k: value }))[0]

describe('checkValues', () => {
  it('answers every fault with its own pointer and none of the values', async () => {
    const violations = await check(
      {
        url: { type: 'string', constraints: { format: 'uri' } },
        'a.b-c': { type: 'number' },
        ok: { type: 'boolean' },
      },
      { url: 'sk_live_secret', 'a.b-c': 'sk_live_secret', ok: true, 'x/y~z': 'sk_live_secret' },
    )
    expect(violations.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/values/url schema_violation',
      '/values/a.b-c type_mismatch',
      '/values/x~1y~0z unknown_key',
    ])
    expect(JSON.stringify(violations)).not.toContain('sk_live_secret')
  })

  it('names the key that was probably meant', async () => {
    const schema = { stripeKey: { type: 'string' as const } }
    expect((await check(schema, { stripKey: '1' }))[0]?.detail).toContain(
      'Did you mean "stripeKey"?',
    )
    expect((await check(schema, { somethingElse: '1' }))[0]?.detail).toContain(
      'Add it to the schema',
    )
  })

  it('finds no key on the prototype', async () => {
    const values = JSON.parse('{"__proto__":"x","constructor":"x","toString":"x"}')
    expect((await check({ a: { type: 'string' } }, values)).map(({ code }) => code)).toEqual([
      'unknown_key',
      'unknown_key',
      'unknown_key',
    ])
  })

  it('says what to do, for each keyword', async () => {
    const text = async (constraints: Record<string, unknown>, value: string | number) => {
      const type = typeof value === 'string' ? 'string' : 'number'
      return (await violationOf({ type, constraints }, value))?.detail
    }
    expect(await text({ minLength: 3 }, 'a')).toBe('Use at least 3 characters.')
    expect(await text({ maxLength: 1 }, 'abc')).toBe('Use at most 1 character.')
    expect(await text({ pattern: '^sk_' }, 'abc')).toBe('Use text that matches the pattern "^sk_".')
    expect(await text({ format: 'email' }, 'abc')).toContain('such as ada@example.com')
    expect(await text({ enum: ['a', 'b'] }, 'abc')).toBe('Use one of "a", "b".')
    expect(await text({ const: 'a' }, 'abc')).toBe('Use "a".')
    expect(await text({ minimum: 3 }, 1)).toBe('Use a number of at least 3.')
    expect(await text({ maximum: 3 }, 4)).toBe('Use a number of at most 3.')
    expect(await text({ exclusiveMinimum: 3 }, 3)).toBe('Use a number above 3.')
    expect(await text({ exclusiveMaximum: 3 }, 3)).toBe('Use a number below 3.')
    expect(await text({ multipleOf: 5 }, 3)).toBe('Use a multiple of 5.')
    expect(await text({ type: 'integer' }, 1.5)).toBe('Use a whole number.')
    expect(await text({ anyOf: [{ const: 1 }, { minimum: 9 }] }, 3)).toContain('at least one of')
    expect(await text({ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3)).toContain('exactly one of')
    expect(await text({ not: { const: 3 } }, 3)).toContain('does not exclude')
    expect(await text({ minLength: 3, pattern: '^b' }, 'a')).toContain('characters. Use text')
  })

  it('refuses what cannot be stored or read back exactly', async () => {
    const type = 'string'
    expect((await violationOf({ type }, 'a\0b'))?.code).toBe('ill_formed_text')
    expect((await violationOf({ type }, '\uD800'))?.code).toBe('ill_formed_text')
    expect((await violationOf({ type }, 'ä'.repeat(limits.valueBytes / 2 + 1)))?.code).toBe(
      'value_too_large',
    )
    expect(await violationOf({ type }, 'ä'.repeat(limits.valueBytes / 2))).toBeUndefined()
    expect((await violationOf({ type: 'number' }, 2 ** 53))?.code).toBe('number_out_of_range')
    expect((await violationOf({ type: 'number' }, Infinity))?.code).toBe('number_out_of_range')
    expect((await violationOf({ type: 'number' }, Number.NaN))?.code).toBe('number_out_of_range')
    for (const value of [null, [], {}, undefined]) {
      expect((await violationOf({ type }, value))?.code).toBe('type_mismatch')
    }
  })

  it('knows each format that the contract names, and names each that it knows', () => {
    expect([...textFormats, ...numberFormats].toSorted()).toEqual(formatNames.toSorted())
  })

  it('takes no time for a hostile text, whatever the format or pattern', async () => {
    const texts = ['http://:'.repeat(9000), `${'a'.repeat(65_000)}!`, `${'a.'.repeat(30_000)}@`]
    const start = performance.now()
    for (const format of textFormats) {
      for (const text of texts) await violationOf({ type: 'string', constraints: { format } }, text)
    }
    await violationOf({ type: 'string', constraints: { pattern: '^(a|aa)+$' } }, texts[1])
    const long = await violationOf(
      { type: 'string', constraints: { pattern: '[a-z]{1000}!' } },
      texts[1],
    )
    expect(long?.detail).toContain('Shorten the text')
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it('compiles every constraint that the vocabulary lets pass', () => {
    const keyword = fc.constantFrom(
      'minLength',
      'maxLength',
      'minimum',
      'exclusiveMaximum',
      'multipleOf',
      'pattern',
      'format',
      'enum',
      'const',
      'type',
      'title',
      'examples',
      'deprecated',
      'not',
      'anyOf',
    )
    const leaf = fc.oneof(
      fc.integer({ min: -3, max: 5 }),
      fc.constantFrom('a', '^a$', '(', 'email', 'int32', 'string', 'number', 'integer', true),
      fc.array(fc.constantFrom('a', 'b', 1, 2, true), { maxLength: 3 }),
    )
    const fragment = fc.letrec((tie) => ({
      fragment: fc.dictionary(
        keyword,
        fc.oneof(leaf, tie('fragment'), fc.array(tie('fragment'), { maxLength: 2 })),
        { maxKeys: 3, noNullPrototype: true },
      ),
    })).fragment
    let passed = 0
    fc.assert(
      fc.property(fc.constantFrom('string', 'number', 'boolean'), fragment, (type, constraints) => {
        if (findConstraintViolations(type, constraints).length > 0) return
        passed++
        const check = compileConstraints(type, constraints)
        check(type === 'string' ? 'a' : type === 'number' ? 1 : true)
      }),
      { numRuns: 3_000, seed: fuzzSeed },
    )
    expect(passed).toBeGreaterThan(100)
  })

  it('tells patterns apart that are used in one schema', () => {
    const rule = { type: 'string', tier: 'public', required: true, hasDefault: false } as const
    const constraints = { allOf: [{ pattern: '^a' }, { pattern: 'b$' }] }
    expect(findValueViolation({ ...rule, constraints }, 'ab')).toBeUndefined()
    expect(findValueViolation({ ...rule, constraints }, 'a')?.detail).toContain('"b$"')
  })
})
