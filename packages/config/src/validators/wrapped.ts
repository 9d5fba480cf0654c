import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ConfigError } from '../config-error.ts'
import { isStandardSchema, memberOf, validatorViolation } from '../standard-schema.ts'
import type { MadeValidator } from './validator.ts'

/**
 * Names the property that holds the validator inside. The symbol is registered, so that two copies of this package
 * understand each other.
 */
const wrapped = Symbol.for('signalbox.wrapped')

/** Holds the validator inside `withStoredDefault` or `optional`. */
interface Wrapped {
  readonly schema: StandardSchemaV1
  readonly keepsDefault: boolean
}

/**
 * Declares a key whose default only the server knows, such as that of a secret, which no file should hold. A push keeps the
 * stored default. Example: `withStoredDefault(string({ minLength: 16 }))`.
 *
 * @throws {ConfigError} `invalid` for a value that is no Standard Schema.
 */
export function withStoredDefault<S extends StandardSchemaV1>(
  schema: S,
): MadeValidator<StandardSchemaV1.InferInput<S>, StandardSchemaV1.InferOutput<S>>
export function withStoredDefault(
  schema: StandardSchemaV1,
): MadeValidator<unknown> & { readonly [wrapped]: Wrapped } {
  assertValidator(schema)
  return { '~standard': schema['~standard'], [wrapped]: { schema, keepsDefault: true } }
}

/**
 * Declares a key that may have no value. Example: `optional(string({ url: true }))`.
 *
 * @throws {ConfigError} `invalid` for a value that is no Standard Schema.
 */
export function optional<S extends StandardSchemaV1>(
  schema: S,
): MadeValidator<
  StandardSchemaV1.InferInput<S> | undefined,
  StandardSchemaV1.InferOutput<S> | undefined
>
export function optional(
  schema: StandardSchemaV1,
): MadeValidator<unknown> & { readonly [wrapped]: Wrapped } {
  assertValidator(schema)
  const { vendor, validate } = schema['~standard']
  return {
    '~standard': {
      version: 1,
      vendor,
      validate: (input) => (input === undefined ? { value: undefined } : validate(input)),
    },
    [wrapped]: { schema, keepsDefault: false },
  }
}

/** Returns what is inside `withStoredDefault` or `optional`. */
export function findWrapped(validator: unknown): Wrapped | undefined {
  const inside = memberOf(validator, wrapped)
  return isWrapped(inside) ? inside : undefined
}

function isWrapped(value: unknown): value is Wrapped {
  return isStandardSchema(memberOf(value, 'schema'))
}

function assertValidator(schema: StandardSchemaV1): void {
  const violation = validatorViolation(schema)
  if (violation !== undefined) throw new ConfigError('invalid', violation)
}
