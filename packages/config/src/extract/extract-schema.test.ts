import type { KeyDefinition } from '@signalbox/contract'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type } from 'arktype'
import { Schema } from 'effect'
import Joi from 'joi'
import * as sury from 'sury'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as yup from 'yup'
import * as z from 'zod'
import * as zm from 'zod/mini'
import {
  boolean,
  declaredDefaults,
  defineConfig,
  fromJsonSchema,
  string,
  typed,
  withStoredDefault,
  type Config,
} from '../index.ts'
import { extractSchema, importFrom, isConfig } from './index.ts'
import { vendorProbes, type VendorProbes } from './testing/vendor-probes.ts'

/** Extracts one public key. */
async function extract(validator: unknown, tier: 'public' | 'featureFlags' = 'public') {
  const empty = { public: {}, secret: {}, featureFlags: {} }
  const config = { ...empty, [tier]: { it: validator } }
  const { schema, report, violations } = await extractSchema(config)
  return { definition: schema['it'], report: report['it'], violation: violations[0] }
}

const handWritten = (accepts: (value: unknown) => boolean): StandardSchemaV1<string, string> => ({
  '~standard': {
    version: 1,
    vendor: 'by hand',
    validate: (value) =>
      accepts(value) ? { value: String(value) } : { issues: [{ message: 'no' }] },
  },
})
const onlyTokens = handWritten((value) => typeof value === 'string' && value.startsWith('zz-'))

const expected: Readonly<Record<keyof VendorProbes, KeyDefinition>> = {
  url: {
    type: 'string',
    tier: 'public',
    default: 'https://a.example',
    description: 'Base URL',
    constraints: { format: 'uri' },
  },
  email: { type: 'string', tier: 'public', constraints: { format: 'email' } },
  length: { type: 'string', tier: 'public', constraints: { minLength: 3, maxLength: 8 } },
  prefix: { type: 'string', tier: 'public', constraints: { pattern: '^sk_' } },
  integer: {
    type: 'number',
    tier: 'public',
    default: 3000,
    constraints: { multipleOf: 1, exclusiveMinimum: 0 },
  },
  flag: { type: 'boolean', tier: 'public', default: false },
  choice: { type: 'string', tier: 'public', constraints: { enum: ['light', 'dark'] } },
}

/** Holds what a vendor says beside the expected, or otherwise. */
const zodEmail = { format: 'email', pattern: expect.stringContaining('@') }
const differing: Readonly<Record<string, Partial<Record<keyof VendorProbes, KeyDefinition>>>> = {
  zod: {
    email: { ...expected.email, constraints: zodEmail },
    prefix: { ...expected.prefix, constraints: { pattern: '^sk_.*' } },
  },
  'zod/mini': {
    email: { ...expected.email, constraints: zodEmail },
    prefix: { ...expected.prefix, constraints: { pattern: '^sk_.*' } },
  },
  arktype: {
    email: { ...expected.email, constraints: zodEmail },
    choice: { ...expected.choice, constraints: { enum: ['dark', 'light'] } },
  },
  effect: {
    length: { ...expected.length, constraints: { minLength: 2, maxLength: 8 }, partial: true },
  },
  joi: {
    url: { ...expected.url, constraints: { format: 'uri', minLength: 1 } },
    email: { ...expected.email, constraints: { format: 'email', minLength: 1 } },
    prefix: { ...expected.prefix, constraints: { pattern: '^sk_', minLength: 1 } },
  },
}

const convertedBy = new Set(['zod/mini', 'valibot', 'effect', 'sury'])

describe.each(Object.entries(vendorProbes))('extractSchema with %s', (vendor, probes) => {
  it.each(Object.entries(probes))('finds out what %s is', async (name, validator) => {
    const { definition } = await extract(validator)
    const key = name as keyof VendorProbes
    expect(definition).toEqual(differing[vendor]?.[key] ?? expected[key])
  })

  it('says how it learned each fact', async () => {
    const { report } = await extract(probes.url)
    const told = convertedBy.has(vendor) ? 'converter' : 'jsonSchema'
    const byProbing = ['arktype', 'effect', 'sury'].includes(vendor)
    expect(report?.facts).toEqual([
      { name: 'type', source: told },
      { name: 'required', source: 'probe' },
      { name: 'default', source: byProbing ? 'probe' : told },
      { name: 'description', source: told },
      ...Object.keys(definitionOf(vendor).constraints ?? {}).map((keyword) => ({
        name: `constraints.${keyword}`,
        source: told,
      })),
    ])
  })
})

const definitionOf = (vendor: string): KeyDefinition => differing[vendor]?.url ?? expected.url

describe('rules that nobody can read from outside', () => {
  it.each<[string, unknown]>([
    ['zod refine', z.string().refine((text) => text !== 'x')],
    ['zod refine under a default', z.string().refine(Boolean).default('y')],
    ['zod trim', z.string().trim()],
    ['zod url of one protocol', z.url({ protocol: /^https$/ })],
    ['zod/mini refine', zm.string().check(zm.refine((text) => text !== 'x'))],
    [
      'valibot check',
      v.pipe(
        v.string(),
        v.check((text) => text !== 'x'),
        v.minLength(3),
      ),
    ],
    ['valibot trim', v.pipe(v.string(), v.trim())],
    ['valibot second regex', v.pipe(v.string(), v.regex(/a/), v.regex(/b/))],
    [
      'valibot async check',
      v.pipeAsync(
        v.string(),
        v.checkAsync(async () => true),
      ),
    ],
    ['arktype narrow', type('string').narrow((text) => text !== 'x')],
    ['effect filter', Schema.toStandardSchemaV1(Schema.String.check(Schema.makeFilter(Boolean)))],
    [
      'effect pattern without u',
      Schema.toStandardSchemaV1(Schema.String.check(Schema.isPattern(/a/))),
    ],
    ['joi custom', Joi.string().custom((text: unknown) => text)],
    ['joi inverted pattern', Joi.string().pattern(/a/, { invert: true })],
    ['sury refine', sury.string.with(sury.refine, (text) => text !== 'x')],
    ['sury refine beside a bound', sury.string.with(sury.minLength, 3).with(sury.refine, Boolean)],
  ])('%s makes the key partial, with its type known', async (_name, validator) => {
    const { definition, report } = await extract(validator)
    expect(definition).toMatchObject({ type: 'string', partial: true })
    expect(report?.warnings.join()).toContain('not by the server')
  })

  it('are also found by values that only the validator rejects', async () => {
    const odd = Object.assign(
      handWritten((value) => value === 'text' || value === 'a'),
      {},
    )
    const described = {
      '~standard': {
        ...odd['~standard'],
        vendor: 'signalbox',
        jsonSchema: { input: () => ({ type: 'string' }), output: () => ({ type: 'string' }) },
      },
    }
    expect((await extract(described)).definition).toMatchObject({ type: 'string', partial: true })
  })

  it('of a library nobody knows may be there', async () => {
    const own = string()['~standard']
    const { definition } = await extract({ '~standard': { ...own, vendor: 'another' } })
    expect(definition).toMatchObject({ type: 'string', partial: true })
  })
})

describe('patterns', () => {
  it.each<[string, unknown]>([
    ['zod', z.string().regex(/^a/i)],
    ['valibot', v.pipe(v.string(), v.regex(/^a/i))],
    ['arktype', type(/^a/i)],
    ['joi', Joi.string().pattern(/^a/i)],
    ['sury', sury.string.with(sury.pattern, /^[a-z]+$/i)],
    ['zod, where they refuse samples that it accepts,', z.string().regex(/^[a-z]+$/i)],
    ['zod, sticky,', z.string().regex(/[a-z]+$/y)],
  ])(
    'of %s with flags are left out, because they would say something else',
    async (_name, validator) => {
      const { definition, report } = await extract(validator)
      expect(definition).toMatchObject({ type: 'string', partial: true })
      expect(definition?.constraints ?? {}).not.toHaveProperty('pattern')
      expect(report?.warnings).toEqual([expect.stringContaining('not by the server: ')])
    },
  )

  it('that all have to match are all kept', async () => {
    const { definition } = await extract(z.string().startsWith('a').endsWith('b'))
    expect(definition?.constraints).toEqual({ pattern: '^a.*', allOf: [{ pattern: '.*b$' }] })
    expect(definition).not.toHaveProperty('partial')
  })

  it('that no server can match in linear time are left out', async () => {
    const { definition, report } = await extract(z.string().regex(/^(?!a)/))
    expect(definition).toEqual({ type: 'string', tier: 'public', partial: true })
    expect(report?.warnings.join()).toContain('lookaround')
  })

  it('control: an escaped parenthesis is no lookaround', async () => {
    const { definition } = await extract(z.string().regex(/^\\\(\?=/))
    expect(definition?.constraints).toHaveProperty('pattern')
  })
})

describe('absence', () => {
  it('of a value is told by validate(undefined), not by JSON Schema', async () => {
    expect((await extract(z.string().optional())).definition).toMatchObject({ required: false })
    expect((await extract(Joi.string())).definition).toMatchObject({ required: false })
    expect((await extract(z.string())).definition).not.toHaveProperty('required')
  })

  it('answered with a different default each time is noted and not stored', async () => {
    let count = 0
    const { definition, report } = await extract(z.number().default(() => (count += 1)))
    expect(definition).toMatchObject({ type: 'number', required: false })
    expect(definition).not.toHaveProperty('default')
    expect(report?.warnings.join()).toContain('differs each time')
  })

  it('answered with a default of a function is as good as with a value', async () => {
    expect((await extract(Joi.string().default(() => 'x'))).definition?.default).toBe('x')
  })
})

describe('a default', () => {
  it.each<[string, unknown]>([
    ['zod coerces to a text', z.coerce.string().min(8)],
    ['zod coerces to a boolean', z.coerce.boolean()],
    ['zod/mini coerces to a text', zm.coerce.string()],
    ['zod coerces although it catches', z.coerce.string().catch('x')],
    ['zod makes a text of everything', z.preprocess(String, z.string())],
    ['zod compares with a text', z.preprocess((value) => value === 'true', z.boolean())],
    ['typed takes a coercion', typed('string', z.coerce.string())],
    ['withStoredDefault takes a coercion', withStoredDefault(z.coerce.string())],
    ['a hand-written coercion', handWritten(() => true)],
  ])('is not what comes of a missing value where %s: the key is required', async (_, validator) => {
    const { definition, report } = await extract(validator)
    expect(definition).toBeDefined()
    expect(definition).not.toHaveProperty('default')
    expect(definition).not.toHaveProperty('required')
    expect(report?.warnings.join()).toContain('the key is required')
    const config = { public: { it: validator }, secret: {}, featureFlags: {} }
    expect(declaredDefaults(config as Config)).toEqual({})
  })

  it.each<[string, unknown, unknown]>([
    ['zod coerces with a default', z.coerce.string().default('x'), 'x'],
    ['zod coerces with a prefault', z.coerce.string().prefault('x'), 'x'],
    ['zod coerces to a number with a default', z.coerce.number().default(3), 3],
    ['zod coerces to a boolean with a default', z.coerce.boolean().default(false), false],
    ['zod catches', z.string().catch('x'), 'x'],
    ['zod fills in a nullish value', z.preprocess((value) => value ?? 'x', z.string()), 'x'],
    ['valibot falls back', v.fallback(v.string(), 'x'), 'x'],
    ['valibot is optional with a default', v.optional(v.string(), 'x'), 'x'],
    ['joi converts, and has one', Joi.number().default(3), 3],
    ['typed says it beside a coercion', typed('string', z.coerce.string(), { default: 'x' }), 'x'],
  ])('is found where %s', async (_, validator, value) => {
    const { definition } = await extract(validator)
    expect(definition?.default).toBe(value)
    const config = { public: { it: validator }, secret: {}, featureFlags: {} }
    expect(declaredDefaults(config as Config)).toEqual({ it: value })
  })

  it.each(['undefined', 'null', 'NaN', '[object Object]', '[object Promise]', 'Invalid Date'])(
    'is never the text %s',
    async (text) => {
      for (const validator of [string({ default: text }), z.string().default(text)]) {
        const { violation } = await extract(validator)
        expect(violation?.detail).toContain('means no value')
        expect(JSON.stringify(violation)).not.toContain(text)
      }
    },
  )

  it('control: may contain such a text', async () => {
    const { definition } = await extract(z.string().default('nullable, undefined'))
    expect(definition?.default).toBe('nullable, undefined')
  })
})

describe('a sury choice with a default', () => {
  it('is read out of the alternatives it is written as', async () => {
    const { definition } = await extract(sury.optional(sury.union(['light', 'dark']), 'dark'))
    expect(definition).toMatchObject({
      type: 'string',
      default: 'dark',
      constraints: { enum: ['light', 'dark'] },
    })
  })
})

describe('a type that cannot be known', () => {
  it('is refused with two fixes, and never guessed', async () => {
    const { definition, violation } = await extract(onlyTokens)
    expect(definition).toBeUndefined()
    expect(violation?.detail).toContain('has an unreadable type')
    expect(violation?.fixes).toEqual([
      "typed('string', schema)",
      expect.stringContaining('@signalbox/config'),
    ])
  })

  it('names the converter of the library when that is what is missing', async () => {
    const config = {
      public: { it: v.pipe(v.string(), v.startsWith('zz-')) },
      secret: {},
      featureFlags: {},
    }
    const missing = () => Promise.reject(new Error('not installed'))
    const { violations } = await extractSchema(config, { resolve: missing })
    expect(violations[0]).toMatchObject({ key: 'it', tier: 'public', vendor: 'valibot' })
    expect(violations[0]?.fixes).toContain('npm install --save-dev @valibot/to-json-schema')
  })

  it('names no converter that is installed', async () => {
    const { violation } = await extract(z.custom<string>(() => false))
    expect(violation?.detail).toContain('has an unreadable type')
    expect(violation?.fixes.join()).not.toContain('npm install')
  })

  it('is read by the converter that the caller finds', async () => {
    const asked: string[] = []
    const resolve = (specifier: string) => {
      asked.push(specifier)
      return import('@valibot/to-json-schema')
    }
    const config = defineConfig({ public: { it: v.pipe(v.string(), v.startsWith('zz-')) } })
    const { schema } = await extractSchema(config, { resolve })
    expect(asked).toEqual(['@valibot/to-json-schema'])
    expect(schema['it']?.constraints).toEqual({ pattern: '^zz-' })
  })

  it('is known once typed says it', async () => {
    const validator = typed('string', onlyTokens, { default: 'zz-1', description: 'A token' })
    const { definition, report } = await extract(validator)
    expect(definition).toEqual({
      type: 'string',
      tier: 'public',
      default: 'zz-1',
      description: 'A token',
      partial: true,
    })
    expect(report?.facts.map(({ name, source }) => `${name} ${source}`)).toEqual([
      'type declared',
      'required probe',
      'default declared',
      'description declared',
    ])
  })

  it('is learned by trying values where some are accepted', async () => {
    const { definition, report } = await extract(handWritten((value) => typeof value === 'string'))
    expect(definition).toMatchObject({ type: 'string', partial: true })
    expect(report?.facts[0]).toEqual({ name: 'type', source: 'probe' })
  })
})

describe('a validator whose values do not stay what they are', () => {
  it.each<[string, unknown]>([
    ['zod transform', z.string().transform((text) => text.length)],
    ['zod transform of the same type', z.string().transform((text) => `${text}!`)],
    ['zod overwrite that never ends', z.string().overwrite((text) => `${text}!`)],
    ['zod stringbool', z.stringbool()],
    [
      'valibot transform',
      v.pipe(
        v.string(),
        v.transform((text) => text.length),
      ),
    ],
    ['arktype parse', type('string.numeric.parse')],
    ['effect NumberFromString', Schema.toStandardSchemaV1(Schema.NumberFromString)],
    ['sury to', sury.string.with(sury.to, sury.number)],
    ['sury url, which makes objects', sury.url],
  ])('%s is refused', async (_name, validator) => {
    const { definition, violation } = await extract(validator)
    expect(definition).toBeUndefined()
    expect(violation?.fixes.length).toBeGreaterThan(0)
  })

  it.each<[string, unknown]>([
    ['valibot brand', v.pipe(v.string(), v.minLength(3), v.brand('Id'))],
    ['valibot flavor', v.pipe(v.string(), v.minLength(3), v.flavor('Id'))],
    ['valibot readonly', v.pipe(v.string(), v.minLength(3), v.readonly())],
    ['zod brand', z.string().min(3).brand('Id')],
  ])('control: %s changes a type alone, and hides no rule', async (_name, validator) => {
    const { definition } = await extract(validator)
    expect(definition).toEqual({ type: 'string', tier: 'public', constraints: { minLength: 3 } })
  })

  it.each<[string, unknown]>([
    ['trimStart', v.pipe(v.string(), v.trimStart())],
    ['toLowerCase', v.pipe(v.string(), v.toLowerCase())],
    ['toMinValue', v.pipe(v.number(), v.toMinValue(3))],
  ])('control: valibot %s leaves its own results unchanged', async (_name, validator) => {
    const { definition, violation } = await extract(validator)
    expect(violation).toBeUndefined()
    expect(definition).toMatchObject({ partial: true })
  })

  it('is refused for a default that it would not accept itself', async () => {
    const { violation } = await extract(z.string().min(5).default('abc'))
    expect(violation?.detail).toContain('default')
    expect(JSON.stringify(violation)).not.toContain('abc')
  })

  it('control: coercing and trimming are taken, with a warning', async () => {
    expect((await extract(z.coerce.number())).report?.warnings.join()).toContain('no effect')
    expect((await extract(z.string().trim())).violation).toBeUndefined()
  })
})

describe('what cannot be a key', () => {
  it.each<[string, unknown]>([
    ['a date of zod', z.date()],
    ['a date that zod coerces to', z.coerce.date()],
    ['a bigint of zod', z.bigint()],
    ['a bigint that zod coerces to', z.coerce.bigint()],
    ['a file of zod', z.file()],
    ['a class of zod', z.instanceof(URL)],
    ['a date of valibot', v.date()],
    ['a date of joi', Joi.date()],
    ['a date of arktype', type('Date')],
    ['a date that arktype parses', type('string.date.parse')],
    ['a date of effect', Schema.toStandardSchemaV1(Schema.Date)],
    ['a bigint of sury', sury.bigint],
  ])('%s is refused, and no package would help', async (_name, validator) => {
    const { violation } = await extract(validator)
    expect(violation?.detail).toContain('no configuration holds')
    expect(violation?.fixes.join()).not.toContain('npm install')
  })

  it.each<[string, unknown]>([
    ['zod', z.string().nullable()],
    ['zod, optional too,', z.string().nullish()],
    ['zod with a default', z.string().nullable().default('x')],
    ['valibot', v.nullable(v.string())],
    ['arktype', type('string | null')],
    ['joi', Joi.string().allow(null)],
    ['effect', Schema.toStandardSchemaV1(Schema.NullOr(Schema.String))],
    ['sury', sury.nullable(sury.string)],
  ])('null of %s is refused, as the compiler does', async (_name, validator) => {
    const { violation } = await extract(validator)
    expect(violation?.detail).toContain('accepts null')
  })

  it('control: a validator that makes a value of null has none', async () => {
    expect((await extract(v.nullable(v.string(), 'x'))).violation).toBeUndefined()
  })

  it.each<[string, unknown, string]>([
    ['several types', z.union([z.string(), z.number()]), 'more than one type'],
    ['yup', yup.string().required(), 'yup'],
    ['a raw effect schema', Schema.String, 'toStandardSchemaV1'],
    ['a typebox schema', Type.String(), 'fromJsonSchema'],
    ['a default of arktype', type('string').default('x'), 'typed('],
    ['null alone', z.null(), 'null alone'],
    ['nothing of the kind', 'string', 'Standard Schema'],
  ])('%s is refused and told why', async (_name, validator, words) => {
    const { violation } = await extract(validator)
    expect(JSON.stringify(violation)).toContain(words)
  })

  it('as a flag is whatever is no boolean', async () => {
    expect((await extract(string(), 'featureFlags')).violation?.detail).toContain('boolean')
    expect((await extract(boolean(), 'featureFlags')).definition?.type).toBe('boolean')
  })
})

describe('isConfig and importFrom', () => {
  it('tell a configuration from other exports', () => {
    expect(isConfig(defineConfig({ public: { a: string() } }))).toBe(true)
    expect([isConfig(undefined), isConfig({ public: {} }), isConfig(() => {})]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('find the converters of the project that the definition is in', async () => {
    const resolve = importFrom(import.meta.filename)
    const config = defineConfig({ public: { a: v.pipe(v.string(), v.minLength(3)) } })
    const { schema } = await extractSchema(config, { resolve })
    expect(schema['a']?.constraints).toEqual({ minLength: 3 })
    await expect(resolve('no-such-package')).rejects.toThrow('no-such-package')
  })

  it('take JSON Schema that a validator was made of', async () => {
    const { definition } = await extract(fromJsonSchema({ type: 'integer', minimum: 1 }))
    expect(definition?.constraints).toEqual({ minimum: 1, multipleOf: 1 })
  })
})
