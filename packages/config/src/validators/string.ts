import type { KeyNotes } from '@signalbox/contract'
import { ConfigError } from '../config-error.ts'
import { createValidator, notesOf, type InputOf, type Validator } from './validator.ts'

/** Describes the length and the form of a text. */
export interface StringOptions extends KeyNotes {
  readonly default?: string
  readonly description?: string
  /** Requires an absolute URL. */
  readonly url?: boolean
  readonly email?: boolean
  /** In characters. */
  readonly minLength?: number
  /** In characters. */
  readonly maxLength?: number
  /** Requires this beginning. Example: `sk_`. */
  readonly prefix?: string
  /** Requires a match anywhere in the value; anchor it with `^` and `$`. Flags other than `u` cannot be kept. */
  readonly pattern?: RegExp | string
}

function patternOf({ prefix, pattern }: StringOptions): string | undefined {
  if (prefix !== undefined && pattern !== undefined) {
    throw new ConfigError(
      'invalid',
      'Use prefix or pattern, not both: begin the pattern with the prefix',
    )
  }
  if (prefix !== undefined) return `^${prefix.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}`
  if (!(pattern instanceof RegExp)) return pattern
  if (/[^u]/.test(pattern.flags)) {
    throw new ConfigError('invalid', `The flags "${pattern.flags}" of a pattern cannot be kept`)
  }
  return pattern.source
}

/** Accepts strings. @throws {ConfigError} `invalid` for options that contradict each other. */
export function string<const O extends StringOptions>(
  options?: O,
): Validator<InputOf<O, string>, string> {
  const settings: StringOptions = options ?? {}
  if (settings.url && settings.email) throw new ConfigError('invalid', 'Use url or email, not both')
  const format = settings.url ? 'uri' : undefined
  return createValidator({
    type: 'string',
    format: settings.email ? 'email' : format,
    minLength: settings.minLength,
    maxLength: settings.maxLength,
    pattern: patternOf(settings),
    default: settings.default,
    description: settings.description,
    ...notesOf(settings),
  })
}
