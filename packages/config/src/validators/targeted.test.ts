import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { extractSchema } from '../extract/index.ts'
import {
  boolean,
  ConfigError,
  declaredDefaults,
  declaredLimits,
  defineConfig,
  flag,
  limit,
  number,
  oneOf,
  optional,
  string,
  targeted,
  typed,
  withStoredDefault,
  type AnyConfig,
  type Validators,
} from '../index.ts'

const none = { public: {}, secret: {}, featureFlags: {} }
const extract = (tiers: Partial<AnyConfig>) => extractSchema({ ...none, ...tiers })
const extractPublic = (keys: Validators) => extract({ public: keys })

const variants = { control: { on: false }, blue: { on: true }, green: { on: true } }
const listed = [
  { name: 'control', on: false },
  { name: 'blue', on: true },
  { name: 'green', on: true },
]

describe('targeted', () => {
  it('says so beside what the validator inside says, of every library', async () => {
    const { schema, violations } = await extractPublic({
      own: targeted(oneOf(['small', 'large'], { default: 'small', owner: 'Search' })),
      zods: targeted(z.number().min(1).max(50).default(12)),
      plain: string(),
    })
    expect(violations).toEqual([])
    expect(schema).toEqual({
      own: {
        type: 'string',
        tier: 'public',
        default: 'small',
        owner: 'Search',
        targeted: true,
        constraints: { enum: ['small', 'large'] },
      },
      zods: {
        type: 'number',
        tier: 'public',
        default: 12,
        targeted: true,
        constraints: { minimum: 1, maximum: 50 },
      },
      plain: { type: 'string', tier: 'public' },
    })
  })

  it('is kept inside of typed, which says the type of a validator', async () => {
    const { schema } = await extractPublic({ a: typed('number', targeted(z.number())) })
    expect(schema['a']).toMatchObject({ type: 'number', targeted: true })
  })

  it('is the same inside and outside of optional and of withStoredDefault', async () => {
    const { schema, violations } = await extractPublic({
      a: optional(targeted(string())),
      b: targeted(optional(string())),
      c: withStoredDefault(targeted(string())),
      d: targeted(withStoredDefault(string())),
    })
    expect(violations).toEqual([])
    const key = { type: 'string', tier: 'public', targeted: true }
    expect(schema).toEqual({
      a: { ...key, required: false },
      b: { ...key, required: false },
      c: { ...key, hasDefault: true },
      d: { ...key, hasDefault: true },
    })
  })

  it.each([
    ['secret', 'is targeted, but rules decide no secrets', 'declare it under public'],
    ['featureFlags', 'is targeted, but every flag has rules', 'remove targeted'],
  ] as const)('is refused for a key under %s, with what to do', async (tier, detail, fix) => {
    const { violations } = await extract({ [tier]: { key: targeted(boolean()) } })
    expect(violations).toMatchObject([{ key: 'key', tier, detail }])
    expect(violations[0]?.fixes[0]).toBe(fix)
  })
})

describe('limit', () => {
  it('is a targeted number with a range and steps', async () => {
    const { schema } = await extractPublic({
      seats: limit({ min: 1, max: 500, step: 1, default: 5, description: 'Seats of a plan' }),
    })
    expect(schema['seats']).toEqual({
      type: 'number',
      tier: 'public',
      default: 5,
      description: 'Seats of a plan',
      targeted: true,
      constraints: { minimum: 1, maximum: 500, multipleOf: 1 },
    })
  })

  it('refuses a value out of its range and between its steps', async () => {
    const { validate } = limit({ min: 1, max: 9, step: 2 })['~standard']
    expect(await validate(4)).toEqual({ value: 4 })
    for (const value of [0, 10, 3, '4']) expect(await validate(value)).toHaveProperty('issues')
    expect(() => limit({ min: 1, max: 9, default: 10 })).toThrow(ConfigError)
  })

  it('with a range that holds no number is a fault of the key', async () => {
    const { violations } = await extractPublic({ seats: limit({ min: 9, max: 1 }) })
    expect(violations).toMatchObject([{ key: 'seats' }])
  })
})

describe('flag.variants', () => {
  it('lists the variants in their order, and is a flag in everything else', async () => {
    const { schema, violations } = await extract({
      featureFlags: { checkout: flag.variants(variants, { default: false, killSwitch: true }) },
    })
    expect(violations).toEqual([])
    expect(schema['checkout']).toEqual({
      type: 'boolean',
      tier: 'featureFlags',
      default: false,
      killSwitch: true,
      variants: listed,
    })
  })

  it('is kept by optional and by withStoredDefault', async () => {
    const { schema } = await extract({
      featureFlags: {
        a: optional(flag.variants(variants)),
        b: withStoredDefault(flag.variants(variants)),
      },
    })
    expect(schema['a']).toMatchObject({ variants: listed, required: false })
    expect(schema['b']).toMatchObject({ variants: listed, hasDefault: true })
  })

  it('is refused for a key that is no flag', async () => {
    const { violations } = await extractPublic({ key: flag.variants(variants) })
    expect(violations).toMatchObject([
      { detail: 'has variants, but is no flag', fixes: ['declare it under featureFlags'] },
    ])
  })

  it.each([
    ['no variant that is off', { blue: { on: true } }, /that is off/],
    ['no variant that is on', { control: { on: false } }, /that is on/],
    ['no variant at all', {}, /that is on and one that is off/],
    ['a name with a space', { ...variants, 'dark blue': { on: true } }, /letters, digits/],
    [
      'more than the limit',
      Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`v${at}`, { on: at > 0 }])),
      /at most/,
    ],
  ])('with %s is a fault of the flag, with what to do', async (_, wrong, fix) => {
    const { violations } = await extract({ featureFlags: { key: flag.variants(wrong) } })
    expect(violations).toMatchObject([{ key: 'key' }])
    expect(violations[0]?.fixes.join()).toMatch(fix)
  })
})

describe('what clients take of a definition', () => {
  const config = defineConfig({
    public: {
      seats: limit({ min: 1, max: 500, default: 5 }),
      tokens: targeted(z.number().min(10).max(20)),
      rooms: optional(limit({ min: 0, max: 3 })),
      kept: withStoredDefault(limit({ min: 2, max: 4 })),
      model: targeted(oneOf(['small', 'large'], { default: 'small' })),
      // A range of a key that no rule decides: its values are checked when they are written.
      pageSize: number({ min: 1, max: 9, default: 3 }),
      half: targeted(number({ min: 1 })),
    },
    featureFlags: { checkout: flag.variants(variants, { default: true }) },
  })

  it('are the declared defaults, as of any other key', () => {
    expect(declaredDefaults(config)).toEqual({
      seats: 5,
      rooms: undefined,
      model: 'small',
      pageSize: 3,
      checkout: true,
    })
  })

  it('are the ranges of limits', () => {
    expect(declaredLimits(config)).toEqual({
      seats: { min: 1, max: 500 },
      tokens: { min: 10, max: 20 },
      rooms: { min: 0, max: 3 },
      kept: { min: 2, max: 4 },
    })
  })
})

it('targeted takes nothing but a validator', () => {
  // @ts-expect-error An object is no validator.
  expect(() => targeted({})).toThrow(ConfigError)
})
