import type { ConfigValue, KeyNotes, ValueType } from '@signalbox/contract'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ConfigError } from '../config-error.ts'
import { isStandardSchema, memberOf, validatorViolation } from '../standard-schema.ts'
import type { InputOf, MadeValidator } from './validator.ts'

interface TypeNames {
  readonly string: string
  readonly number: number
  readonly boolean: boolean
  readonly json: object
}

/** Describes a key that has a type of the application. */
export interface TypedOptions<T> extends KeyNotes {
  readonly default?: T
  readonly description?: string
}

/** Holds the facts about a validator that cannot be learned from outside. */
export interface Declared extends KeyNotes {
  readonly schema: StandardSchemaV1
  readonly type: ValueType
  readonly default?: ConfigValue | undefined
  readonly description?: string | undefined
}

/**
 * Names the property that holds a validator's `Declared`. The symbol is registered, so that two copies of this
 * package understand each other.
 */
const declared = Symbol.for('signalbox.declared')

function isDeclared(value: unknown): value is Declared {
  return isStandardSchema(memberOf(value, 'schema'))
}

/** Returns the facts that `typed` declared about a validator. */
export function findDeclared(validator: unknown): Declared | undefined {
  const facts = memberOf(validator, declared)
  return isDeclared(facts) ? facts : undefined
}

/** Resolves to the output of `schema`, or to the declared type where it is unknown. */
type OutputOf<S extends StandardSchemaV1, T> =
  unknown extends StandardSchemaV1.InferOutput<S> ? T : StandardSchemaV1.InferOutput<S>

/** Resolves to the schema itself, or to a sentence that says that the type does not fit it. */
type FittingSchema<S extends StandardSchemaV1, T extends ValueType> = [
  OutputOf<S, TypeNames[T]>,
] extends [TypeNames[T] | undefined]
  ? S
  : `this schema does not produce a ${T}`

/**
 * Declares the type of a validator that cannot be examined, such as one made of a function. Example: `typed('string',
 * isHexColor, { default: '#fff' })`.
 *
 * @throws {ConfigError} `invalid` for a value that is no Standard Schema.
 */
export function typed<
  T extends ValueType,
  S extends StandardSchemaV1,
  const O extends TypedOptions<TypeNames[T]>,
>(
  type: T,
  schema: S & FittingSchema<S, T>,
  options?: O,
): MadeValidator<InputOf<O, OutputOf<S, TypeNames[T]>>, OutputOf<S, TypeNames[T]>>
export function typed(
  type: ValueType,
  schema: StandardSchemaV1,
  options: TypedOptions<ConfigValue> = {},
): MadeValidator<unknown> & { readonly [declared]: Declared } {
  const violation = validatorViolation(schema)
  if (violation !== undefined) throw new ConfigError('invalid', violation)
  const { validate, vendor } = schema['~standard']
  return {
    '~standard': {
      version: 1,
      vendor,
      validate: (input) => validate(input === undefined ? options.default : input),
    },
    [declared]: { schema, type, ...options },
  }
}
