import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type } from 'arktype'
import * as v from 'valibot'
import * as z from 'zod'

/** Holds a validator of each rule that JSON Schema can say, as each library writes it. */
export const constrainedValidators: Readonly<Record<string, StandardSchemaV1>> = {
  'zod 0.01': z.number().multipleOf(0.01),
  'zod 0.1': z.number().multipleOf(0.1),
  'zod 0.07': z.number().multipleOf(0.07),
  'zod 2.5': z.number().multipleOf(2.5),
  'zod 5': z.number().multipleOf(5),
  'zod int': z.int(),
  'zod float32': z.float32(),
  'zod range': z.number().min(0.1).max(33.33),
  'zod open range': z.number().gt(0.1).lt(5.5),
  'zod length': z.string().min(2).max(6),
  'zod url': z.url(),
  'zod email': z.email(),
  'zod uuid': z.uuid(),
  'zod date': z.iso.date(),
  'zod date and time': z.iso.datetime(),
  'zod local date and time': z.iso.datetime({ local: true }),
  'zod time': z.iso.time(),
  'zod duration': z.iso.duration(),
  'zod ipv4': z.ipv4(),
  'zod ipv6': z.ipv6(),
  'zod regex': z.string().regex(/^a.b$/),
  'zod space': z.string().regex(/\s/),
  'zod enum': z.enum(['a', 'abc']),
  'valibot 0.01': v.pipe(v.number(), v.multipleOf(0.01)),
  'valibot 5': v.pipe(v.number(), v.multipleOf(5)),
  'valibot integer': v.pipe(v.number(), v.integer()),
  'valibot range': v.pipe(v.number(), v.minValue(0.1), v.maxValue(33.33)),
  'valibot length': v.pipe(v.string(), v.minLength(2), v.maxLength(6)),
  'valibot url': v.pipe(v.string(), v.url()),
  'valibot email': v.pipe(v.string(), v.email()),
  'valibot date': v.pipe(v.string(), v.isoDate()),
  'valibot date and time': v.pipe(v.string(), v.isoDateTime()),
  'valibot time': v.pipe(v.string(), v.isoTime()),
  'valibot ipv4': v.pipe(v.string(), v.ipv4()),
  'valibot ipv6': v.pipe(v.string(), v.ipv6()),
  'valibot regex': v.pipe(v.string(), v.regex(/^a.b$/)),
  'arktype 5': type('number % 5'),
  'arktype integer': type('number.integer'),
  'arktype range': type('0.1 <= number <= 33.33'),
  'arktype length': type('2 <= string <= 6'),
  'arktype url': type('string.url'),
  'arktype email': type('string.email'),
  'arktype uuid': type('string.uuid'),
  'arktype enum': type("'a'|'abc'"),
}

/** Accepts a time without seconds, and has one as its default. */
export const timeWithDefault: StandardSchemaV1 = v.optional(
  v.pipe(v.string(), v.isoTime()),
  '06:00',
)
