// Lists what defineConfig refuses, with the sentence of each error.
import {
  boolean,
  defineConfig,
  number,
  oneOf,
  optional,
  string,
  typed,
  withStoredDefault,
} from '@signalbox/config'
import type { CheckedTier } from '../src/definition-types.ts'
import { type } from 'arktype'
import Joi from 'joi'
import * as v from 'valibot'
import * as yup from 'yup'
import * as z from 'zod'
import { expectSame } from './expect-type.ts'

// Validators whose values stay what they are.
defineConfig({
  public: {
    a1: z.string(),
    a2: z.string().default('x'),
    a3: z.coerce.number(),
    a4: z.string().trim(),
    a5: z.enum(['a', 'b']),
    a6: z.string().optional(),
    a7: z.int().positive().default(1),
    b1: v.string(),
    b2: v.optional(v.string(), 'x'),
    b3: v.pipe(v.string(), v.trim()),
    b4: v.picklist(['a', 'b']),
    b5: v.pipe(v.string(), v.brand('Id')),
    b6: v.pipe(v.string(), v.readonly()),
    c1: type('string'),
    c2: type('number | undefined').pipe((value) => value ?? 1),
    c3: type("'a' | 'b'"),
    d1: Joi.string(),
    d2: Joi.number().default(1),
    e1: string({ default: 'x' }),
    e2: number(),
    e3: oneOf([1, 2]),
    e4: boolean(),
    e5: optional(oneOf(['a', 'b'])),
    e6: withStoredDefault(z.enum(['a', 'b'])),
  },
})

// Five whose values do not.
const transform = z.string().transform((text) => text.length)
defineConfig({
  // @ts-expect-error
  public: { key: transform },
})
defineConfig({
  // @ts-expect-error
  public: { key: z.string().pipe(z.transform(Number)) },
})
defineConfig({
  // @ts-expect-error
  public: { key: z.stringbool() },
})
defineConfig({
  // @ts-expect-error
  public: { key: v.pipe(v.string(), v.transform(Number)) },
})
defineConfig({
  // @ts-expect-error
  secret: { key: type('string.numeric.parse') },
})

type Sentence<T extends 'public' | 'featureFlags', V, Others = never> = CheckedTier<
  T,
  { key: V },
  Others
>['key']

expectSame<
  Sentence<'public', typeof transform>,
  "public key 'key' changes the type of its value: it must accept what it produces"
>(true)

// Values that are none.
const text = string()
const object = z.object({ a: z.string() })
const day = z.date()
defineConfig({
  public: { key: object, list: z.array(object) },
  // @ts-expect-error
  secret: { day },
})
expectSame<
  Sentence<'public', typeof day>,
  "public key 'key' must produce a string, a number, a boolean, or an object or a list of JSON"
>(true)
const nullable = z.string().nullable()
defineConfig({
  // @ts-expect-error
  public: { key: nullable },
})
expectSame<
  Sentence<'public', typeof nullable>,
  "public key 'key' accepts null, which no key has: remove it, or make the key optional"
>(true)
defineConfig({
  // @ts-expect-error
  public: { key: z.coerce.date() },
})
defineConfig({
  // @ts-expect-error
  featureFlags: { key: string() },
})
expectSame<Sentence<'featureFlags', typeof text>, "featureFlags key 'key' must produce a boolean">(
  true,
)

// A key of two tiers.
defineConfig({
  // @ts-expect-error
  public: { key: string() },
  // @ts-expect-error
  secret: { key: string() },
})
expectSame<Sentence<'public', typeof text, 'key'>, "key 'key' is declared in more than one tier">(
  true,
)

// No validators at all.
defineConfig({
  // @ts-expect-error
  public: { key: 'text' },
})
defineConfig({
  // @ts-expect-error
  flags: {},
})

// yup has the types of a validator. It is refused when the definition runs.
defineConfig({ public: { key: yup.string().required() } })

// The type that is declared has to fit the one that is known.
typed('string', z.string())
// @ts-expect-error
typed('number', z.string())

// Options that do not fit.
// @ts-expect-error
string({ default: 5 })
// @ts-expect-error
oneOf(['a', 'b'], { default: 'c' })
// @ts-expect-error
number({ minLength: 3 })
