import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { extractSchema } from '../extract/index.ts'
import {
  ConfigError,
  type Validators,
  declaredDefaults,
  defineConfig,
  optional,
  string,
  typed,
  withStoredDefault,
} from '../index.ts'

const extract = (secret: Validators) => extractSchema({ public: {}, secret, featureFlags: {} })

describe('withStoredDefault', () => {
  it('keeps the stored default, and is read as the validator inside', async () => {
    const { schema, violations } = await extract({
      own: withStoredDefault(string({ minLength: 3, description: 'Signs' })),
      zods: withStoredDefault(z.string().startsWith('sk_')),
      typed: withStoredDefault(
        typed(
          'string',
          z.custom<string>((value) => value === 'x'),
        ),
      ),
    })
    expect(violations).toEqual([])
    const kept = { type: 'string', tier: 'secret', hasDefault: true }
    expect(schema).toEqual({
      own: { ...kept, description: 'Signs', constraints: { minLength: 3 } },
      zods: { ...kept, constraints: { pattern: '^sk_.*' } },
      typed: { ...kept, partial: true },
    })
  })

  it('supplies no default, and checks values as the validator inside', async () => {
    const config = defineConfig({ secret: { key: withStoredDefault(string({ minLength: 3 })) } })
    expect(declaredDefaults(config)).toEqual({})
    const { validate } = config.secret.key['~standard']
    expect(await validate('ab')).toMatchObject({ issues: [{}] })
    expect(await validate('abc')).toEqual({ value: 'abc' })
  })

  it.each([
    ['a default', string({ default: 'a' })],
    ['no need of a value', optional(string())],
  ])('is a fault around a validator with %s', async (_, validator) => {
    const { violations } = await extract({ key: withStoredDefault(validator) })
    expect(violations).toMatchObject([
      { key: 'key', detail: expect.stringContaining('withStoredDefault') },
    ])
  })
})

describe('optional', () => {
  it('makes a key that may have no value, and is read as the validator inside', async () => {
    const { schema } = await extract({ key: optional(string({ url: true })) })
    const constraints = { format: 'uri' }
    expect(schema).toEqual({
      key: { type: 'string', tier: 'secret', required: false, constraints },
    })
  })
})

it.each([withStoredDefault, optional])('%o takes nothing but a validator', (wrap) => {
  // @ts-expect-error An object is no validator.
  expect(() => wrap({})).toThrow(ConfigError)
})
