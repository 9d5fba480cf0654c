import type { KeyNotes } from '@signalbox/contract'
import { ConfigError } from '../config-error.ts'
import { createValidator, notesOf, type InputOf, type Validator } from './validator.ts'

/** Describes a key with a list of values. */
export interface OneOfOptions<T> extends KeyNotes {
  readonly default?: T
  readonly description?: string
}

/**
 * Accepts one of the given strings, or one of the given numbers. Example: `oneOf(['light', 'dark'], { default:
 * 'light' })`.
 *
 * @throws {ConfigError} `invalid` when there is nothing to choose from, or strings are mixed with numbers.
 */
export function oneOf<
  const T extends readonly string[] | readonly number[],
  const O extends OneOfOptions<T[number]>,
>(values: T, options?: O): Validator<InputOf<O, T[number]>, T[number]> {
  const settings: OneOfOptions<T[number]> = options ?? {}
  const type = typeof values[0]
  if ((type !== 'string' && type !== 'number') || values.some((value) => typeof value !== type)) {
    throw new ConfigError('invalid', 'oneOf needs at least one string or number, not mixed')
  }
  return createValidator({
    type,
    enum: values,
    default: settings.default,
    description: settings.description,
    ...notesOf(settings),
  })
}
