import type { FlagVariant, KeyNotes } from '@signalbox/contract'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { boolean } from './boolean.ts'
import {
  createValidator,
  notesOf,
  type InputOf,
  type MadeValidator,
  type Validator,
} from './validator.ts'
import { wrap } from './wrapped.ts'

/**
 * Declares a public key whose value rules may decide for one context, as they decide flags. Example: `targeted(number({ min: 1,
 * max: 50, default: 12 }))`.
 *
 * @throws {ConfigError} `invalid` for a value that is no Standard Schema.
 */
export function targeted<S extends StandardSchemaV1>(
  schema: S,
): MadeValidator<StandardSchemaV1.InferInput<S>, StandardSchemaV1.InferOutput<S>> {
  return wrap<StandardSchemaV1.InferInput<S>, StandardSchemaV1.InferOutput<S>>(schema, {
    targeted: true,
  })
}

/** Describes the range of a limit, and the steps between its values. */
export interface LimitOptions extends KeyNotes {
  readonly min: number
  readonly max: number
  /** Holds the distance between two values. Default: any number in the range. */
  readonly step?: number
  readonly default?: number
  readonly description?: string
}

/**
 * Declares a number that rules may decide for one context, such as the seats of a plan. Example: `limit({ min: 1, max: 500, step: 1,
 * default: 5 })`.
 */
export function limit<const O extends LimitOptions>(
  options: O,
): MadeValidator<InputOf<O, number>, number> {
  const { min, max, step, default: value, description }: LimitOptions = options
  const range: Validator<InputOf<O, number>, number> = createValidator({
    type: 'number',
    minimum: min,
    maximum: max,
    multipleOf: step,
    default: value,
    description,
    ...notesOf(options),
  })
  return wrap<InputOf<O, number>, number>(range, { targeted: true })
}

/** Describes a variant in a definition. */
export interface VariantOptions {
  /** Says whether the flag is on with this variant, for readers that know on and off alone. */
  readonly on: boolean
}

/** Describes a flag with variants. */
export interface VariantsOptions extends KeyNotes {
  readonly default?: boolean
  readonly description?: string
}

/** Declares flags that are more than on and off. */
export const flag = {
  /**
   * Declares the variants of a flag, in the order in which they stand for its value where no rule chooses one. Example:
   * `flag.variants({ control: { on: false }, blue: { on: true } })`.
   */
  variants<const O extends VariantsOptions>(
    variants: Readonly<Record<string, VariantOptions>>,
    options?: O,
  ): MadeValidator<InputOf<O, boolean>, boolean> {
    const all = Object.entries(variants).map(([name, { on }]): FlagVariant => ({ name, on }))
    return wrap<InputOf<O, boolean>, boolean>(boolean(options), { variants: all })
  },
}
