import type { KeyNotes } from '@signalbox/contract'
import { createValidator, type InputOf, type Validator } from './validator.ts'

/** Describes a boolean key. */
export interface BooleanOptions extends KeyNotes {
  readonly default?: boolean
  readonly description?: string
}

/** Accepts true and false. */
export function boolean<const O extends BooleanOptions>(
  options?: O,
): Validator<InputOf<O, boolean>, boolean> {
  return createValidator({ type: 'boolean', ...options })
}
