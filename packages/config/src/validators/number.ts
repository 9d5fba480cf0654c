import { createValidator, type InputOf, type Validator } from './validator.ts'

/** Describes the range of a number. */
export interface NumberOptions {
  readonly default?: number
  readonly description?: string
  readonly integer?: boolean
  /** More than zero. */
  readonly positive?: boolean
  readonly min?: number
  readonly max?: number
}

/** A finite number. */
export function number<const O extends NumberOptions>(
  options?: O,
): Validator<InputOf<O, number>, number> {
  const given: NumberOptions = options ?? {}
  return createValidator({
    type: given.integer ? 'integer' : 'number',
    minimum: given.min,
    maximum: given.max,
    exclusiveMinimum: given.positive ? 0 : undefined,
    default: given.default,
    description: given.description,
  })
}
