import { createHmac } from 'node:crypto'
import { toVariableText, type ConfigValue } from '@signalbox/contract'
import { countOf } from '../terminal/count.ts'

/**
 * Returns eight characters that are equal for equal secrets and reveal nothing else. They are keyed with the token,
 * so that somebody who sees only the terminal cannot test guesses.
 */
export function fingerprint(token: string, value: ConfigValue): string {
  return createHmac('sha256', `signalbox fingerprint ${token}`)
    .update(JSON.stringify(value))
    .digest('hex')
    .slice(0, 8)
}

/** Returns a description of a secret that may be shown. Example: `32 characters, fingerprint 3f9a12c4`. */
export function describeSecret(token: string, value: ConfigValue): string {
  return `${countOf(countCharacters(value), 'character')}, fingerprint ${fingerprint(token, value)}`
}

/** Counts the characters of a value by code points. */
export function countCharacters(value: ConfigValue): number {
  return Array.from(toVariableText(value)).length
}
