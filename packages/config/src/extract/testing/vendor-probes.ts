import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type } from 'arktype'
import { Effect, Schema } from 'effect'
import Joi from 'joi'
import * as sury from 'sury'
import { Type } from 'typebox'
import * as v from 'valibot'
import * as z from 'zod'
import * as zm from 'zod/mini'
import { _default as withDefault } from 'zod/mini'
import { boolean, fromJsonSchema, number, oneOf, string } from '../../index.ts'

/** The seven things an application says of its keys, said in one library. */
export interface VendorProbes {
  /** A URL, with a default and a description. */
  readonly url: StandardSchemaV1
  readonly email: StandardSchemaV1
  /** 3 to 8 characters. */
  readonly length: StandardSchemaV1
  /** Begins with `sk_`. */
  readonly prefix: StandardSchemaV1
  /** An integer above 0, 3000 by default. */
  readonly integer: StandardSchemaV1
  /** False by default. */
  readonly flag: StandardSchemaV1
  /** `light` or `dark`. */
  readonly choice: StandardSchemaV1
}

const effect = Schema.toStandardSchemaV1
const url = 'https://a.example'
const description = 'Base URL'

export const vendorProbes: Readonly<Record<string, VendorProbes>> = {
  signalbox: {
    url: string({ url: true, default: url, description }),
    email: string({ email: true }),
    length: string({ minLength: 3, maxLength: 8 }),
    prefix: string({ prefix: 'sk_' }),
    integer: number({ integer: true, positive: true, default: 3000 }),
    flag: boolean({ default: false }),
    choice: oneOf(['light', 'dark']),
  },
  zod: {
    url: z.url().default(url).describe(description),
    email: z.email(),
    length: z.string().min(3).max(8),
    prefix: z.string().startsWith('sk_'),
    integer: z.int().positive().default(3000),
    flag: z.boolean().default(false),
    choice: z.enum(['light', 'dark']),
  },
  'zod/mini': {
    url: withDefault(zm.url().register(z.globalRegistry, { description }), url),
    email: zm.email(),
    length: zm.string().check(zm.minLength(3), zm.maxLength(8)),
    prefix: zm.string().check(zm.startsWith('sk_')),
    integer: withDefault(zm.int().check(zm.positive()), 3000),
    flag: withDefault(zm.boolean(), false),
    choice: zm.enum(['light', 'dark']),
  },
  valibot: {
    url: v.optional(v.pipe(v.string(), v.url(), v.description(description)), url),
    email: v.pipe(v.string(), v.email()),
    length: v.pipe(v.string(), v.minLength(3), v.maxLength(8)),
    prefix: v.pipe(v.string(), v.startsWith('sk_')),
    integer: v.optional(v.pipe(v.number(), v.integer(), v.gtValue(0)), 3000),
    flag: v.optional(v.boolean(), false),
    choice: v.picklist(['light', 'dark']),
  },
  // Without a default, which a root type of arktype cannot have: `pipe` supplies it.
  arktype: {
    url: type('string.url | undefined')
      .pipe((value) => value ?? url)
      .describe(description),
    email: type('string.email'),
    length: type('3 <= string <= 8'),
    prefix: type(/^sk_/),
    integer: type('number.integer > 0 | undefined').pipe((value) => value ?? 3000),
    flag: type('boolean | undefined').pipe((value) => value ?? false),
    choice: type("'light' | 'dark'"),
  },
  effect: {
    url: effect(
      Schema.String.annotate({ description, format: 'uri' }).pipe(
        Schema.withDecodingDefault(Effect.succeed(url)),
      ),
    ),
    email: effect(Schema.String.annotate({ format: 'email' })),
    length: effect(Schema.String.check(Schema.isMinLength(3), Schema.isMaxLength(8))),
    prefix: effect(Schema.String.check(Schema.isPattern(/^sk_/u))),
    integer: effect(
      Schema.Number.check(Schema.isInt(), Schema.isGreaterThan(0)).pipe(
        Schema.withDecodingDefault(Effect.succeed(3000)),
      ),
    ),
    flag: effect(Schema.Boolean.pipe(Schema.withDecodingDefault(Effect.succeed(false)))),
    choice: effect(Schema.Literals(['light', 'dark'])),
  },
  joi: {
    url: Joi.string().uri().default(url).description(description),
    email: Joi.string().email().required(),
    length: Joi.string().min(3).max(8).required(),
    prefix: Joi.string().pattern(/^sk_/).required(),
    integer: Joi.number().integer().positive().default(3000),
    flag: Joi.boolean().default(false),
    choice: Joi.string().valid('light', 'dark').required(),
  },
  sury: {
    url: sury.optional(sury.uri.with(sury.meta, { description }), url),
    email: sury.email,
    length: sury.string.with(sury.minLength, 3).with(sury.maxLength, 8),
    prefix: sury.string.with(sury.pattern, /^sk_/),
    integer: sury.optional(sury.integer.with(sury.gt, 0), 3000),
    flag: sury.optional(sury.boolean, false),
    choice: sury.union(['light', 'dark']),
  },
  typebox: {
    url: fromJsonSchema(Type.String({ format: 'uri', default: url, description })),
    email: fromJsonSchema(Type.String({ format: 'email' })),
    length: fromJsonSchema(Type.String({ minLength: 3, maxLength: 8 })),
    prefix: fromJsonSchema(Type.String({ pattern: '^sk_' })),
    integer: fromJsonSchema(Type.Integer({ exclusiveMinimum: 0, default: 3000 })),
    flag: fromJsonSchema(Type.Boolean({ default: false })),
    choice: fromJsonSchema(Type.Union([Type.Literal('light'), Type.Literal('dark')])),
  },
}
