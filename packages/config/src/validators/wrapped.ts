import type { FlagVariant } from '@signalbox/contract'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ConfigError } from '../config-error.ts'
import { isStandardSchema, memberOf, validatorViolation } from '../standard-schema.ts'
import type { MadeValidator } from './validator.ts'

/**
 * Names the property that holds the validator inside. The symbol is registered, so that two copies of this package
 * understand each other.
 */
const wrapped = Symbol.for('signalbox.wrapped')

/** Holds what a definition says about a key beside its validator. */
export interface KeyFacts {
  /** Says that the key keeps the default that the server has stored. */
  readonly keepsDefault?: true
  readonly targeted?: true
  readonly variants?: readonly FlagVariant[]
}

/** Holds the validator inside another one, and what the outer one says. */
interface Wrapped extends KeyFacts {
  readonly schema: StandardSchemaV1
}

/** Returns a validator that says more about its key. @throws {ConfigError} `invalid` for a value that is no Standard Schema */
export function wrap<Input, Output>(
  schema: StandardSchemaV1<Input, Output>,
  facts: KeyFacts,
): MadeValidator<Input, Output> & { readonly [wrapped]: Wrapped } {
  assertValidator(schema)
  return { '~standard': schema['~standard'], [wrapped]: { schema, ...facts } }
}

/**
 * Declares a key whose default only the server knows, such as that of a secret, which no file should hold. A push keeps the
 * stored default. Example: `withStoredDefault(string({ minLength: 16 }))`.
 *
 * @throws {ConfigError} `invalid` for a value that is no Standard Schema.
 */
export function withStoredDefault<S extends StandardSchemaV1>(
  schema: S,
): MadeValidator<StandardSchemaV1.InferInput<S>, StandardSchemaV1.InferOutput<S>> {
  return wrap<StandardSchemaV1.InferInput<S>, StandardSchemaV1.InferOutput<S>>(schema, {
    keepsDefault: true,
  })
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
    [wrapped]: { schema },
  }
}

/** Returns what is inside `withStoredDefault`, `optional`, `targeted` and the like. */
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
