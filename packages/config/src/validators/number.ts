import type { KeyNotes } from '@signalbox/contract'
import { createValidator, notesOf, type InputOf, type Validator } from './validator.ts'

/** Describes the range of a number. */
export interface NumberOptions extends KeyNotes {
  readonly default?: number
  readonly description?: string
  readonly integer?: boolean
  /** Requires more than zero. */
  readonly positive?: boolean
  readonly min?: number
  readonly max?: number
}

/** Accepts finite numbers. */
export function number<const O extends NumberOptions>(
  options?: O,
): Validator<InputOf<O, number>, number> {
  const settings: NumberOptions = options ?? {}
  return createValidator({
    type: settings.integer ? 'integer' : 'number',
    minimum: settings.min,
    maximum: settings.max,
    exclusiveMinimum: settings.positive ? 0 : undefined,
    default: settings.default,
    description: settings.description,
    ...notesOf(settings),
  })
}
