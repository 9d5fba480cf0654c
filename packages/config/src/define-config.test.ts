import { Schema } from 'effect'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import * as yup from 'yup'
import * as z from 'zod'
import {
  ConfigError,
  boolean,
  declaredDefaults,
  defineConfig,
  number,
  optional,
  string,
  typed,
} from './index.ts'

/** Defines what the types would refuse. */
const define = (definition: object) => defineConfig(definition)

describe('defineConfig', () => {
  it('keeps the validators of each tier', () => {
    const apiUrl = string({ url: true })
    const config = defineConfig({ public: { apiUrl }, featureFlags: { beta: boolean() } })
    expect(config.public.apiUrl).toBe(apiUrl)
    expect(Object.keys(config.secret)).toEqual([])
    expect(Object.isFrozen(config)).toBe(true)
  })

  it.each<[object, RegExp]>([
    [{ public: { '1a': string() } }, /public key "1a": Use 1 to 128/],
    [{ public: { 'a b': string() } }, /public key "a b"/],
    [{ secret: { constructor: string() } }, /secret key "constructor": Every JavaScript object/],
    [{ secret: { toSTRING: string() } }, /"toSTRING"/],
    [{ public: { apiUrl: string(), apiURL: string() } }, /differ only in case/],
    [{ public: { a: string() }, secret: { a: string() } }, /secret key "a" and public key "a"/],
    [{ public: { A: string() }, featureFlags: { a: boolean() } }, /featureFlags key "a"/],
    [{ flags: {} }, /"flags" is not a tier: use public, secret, featureFlags/],
    [{ public: { a: yup.string() } }, /yup validates in promises/],
    [{ public: { a: Schema.String } }, /toStandardSchemaV1/],
    [{ public: { a: Type.String() } }, /fromJsonSchema/],
    [{ public: { a: 'text' } }, /give a Standard Schema validator/],
    [{ public: { a: null } }, /give a Standard Schema validator/],
  ])('refuses %o and says what to do', (definition, words) => {
    expect(() => define(definition)).toThrow(words)
    expect(() => define(definition)).toThrow(ConfigError)
  })

  it('names every fault at once', () => {
    const definition = { public: { 'a b': string(), c: 5 }, flags: {} }
    expect(() => define(definition)).toThrow(/flags.*a b.*"c"/s)
  })

  it('takes as many keys as a schema can have, and no more', () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, string()]))
    expect(() => define({ public: keys(2_000) })).not.toThrow()
    expect(() => define({ public: keys(2_001) })).toThrow(/2001 keys/)
  })
})

describe('typed', () => {
  it('supplies its default and leaves the rest to the validator', () => {
    const { validate } = typed('number', z.number().min(3), { default: 5 })['~standard']
    expect(validate(undefined)).toEqual({ value: 5 })
    expect(validate(4)).toEqual({ value: 4 })
    expect(validate(2)).toHaveProperty('issues')
  })

  it('refuses what is no validator', () => {
    expect(() => typed('string', yup.string())).toThrow(/yup/)
  })
})

describe('declaredDefaults', () => {
  it('collects what the validators supply', () => {
    const config = defineConfig({
      public: { size: number({ default: 20 }), url: string(), note: optional(string()) },
      secret: {
        key: z.string().default('x'),
        later: z
          .string()
          .default('x')
          .refine(async () => true),
      },
      featureFlags: { beta: boolean({ default: true }) },
    })
    expect(declaredDefaults(config)).toStrictEqual({
      size: 20,
      note: undefined,
      key: 'x',
      beta: true,
    })
  })
})
