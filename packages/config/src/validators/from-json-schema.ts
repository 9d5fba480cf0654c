import { ConfigError } from '../config-error.ts'
import { readFragment } from '../json-schema/read-fragment.ts'
import { createValidator, type Validator } from './validator.ts'

type Named<T> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'object'
        ? Readonly<Record<string, unknown>>
        : T extends 'array'
          ? readonly unknown[]
          : T extends 'null'
            ? null
            : never

type Members<P, R> = {
  readonly [K in keyof P as K extends R ? K : never]: FromJsonSchema<P[K]>
} & {
  readonly [K in keyof P as K extends R ? never : K]?: FromJsonSchema<P[K]>
}

/** Resolves to the values that a JSON Schema admits, as its literal type describes them. */
export type FromJsonSchema<S> = S extends { readonly const: infer V }
  ? V
  : S extends { readonly enum: readonly (infer V)[] }
    ? V
    : S extends { readonly anyOf: readonly (infer B)[] }
      ? FromJsonSchema<B>
      : S extends { readonly properties: infer P }
        ? Members<P, S extends { readonly required: readonly (infer R)[] } ? R : never>
        : S extends { readonly type: 'array'; readonly items: infer I }
          ? readonly FromJsonSchema<I>[]
          : S extends { readonly type: readonly (infer T)[] }
            ? Named<T>
            : S extends { readonly type: infer T }
              ? Named<T>
              : never

/**
 * Creates a validator from JSON Schema, for instance of typebox: `fromJsonSchema(Type.String({ format: 'uri' }))`.
 *
 * @throws {ConfigError} `invalid` for a schema that does not describe one string, number or boolean, nor objects or lists, or that
 * cannot be checked here.
 */
export function fromJsonSchema<const S extends object>(
  schema: S,
): Validator<
  S extends { readonly default: unknown } ? FromJsonSchema<S> | undefined : FromJsonSchema<S>,
  FromJsonSchema<S>
> {
  const { fragment, dropped, violation } = readFragment(schema)
  if (violation !== undefined) throw new ConfigError('invalid', `JSON Schema: ${violation}`)
  if (dropped.length > 0) {
    throw new ConfigError('invalid', `JSON Schema: ${dropped.join(', ')} cannot be checked`)
  }
  if (fragment.type === undefined) {
    throw new ConfigError(
      'invalid',
      'JSON Schema: say type "string", "number", "boolean", "object" or "array"',
    )
  }
  return createValidator(fragment)
}
