import { createHmac } from 'node:crypto'
import type { ConfigValue } from '@signalbox/contract'
import { countOf } from '../terminal/count.ts'

/**
 * Eight characters that tell whether two secrets are equal and nothing else. They are keyed with the
 * token, so that a value cannot be guessed from them by somebody who only sees the terminal.
 */
export function fingerprint(token: string, value: ConfigValue): string {
  return createHmac('sha256', `signalbox fingerprint ${token}`)
    .update(JSON.stringify(value))
    .digest('hex')
    .slice(0, 8)
}

/** A secret as it may be shown. Example: `32 characters, fingerprint 3f9a12c4`. */
export function describeSecret(token: string, value: ConfigValue): string {
  return `${countOf(countCharacters(value), 'character')}, fingerprint ${fingerprint(token, value)}`
}

/** How many characters a value has, counted by code points. */
export function countCharacters(value: ConfigValue): number {
  return Array.from(String(value)).length
}
