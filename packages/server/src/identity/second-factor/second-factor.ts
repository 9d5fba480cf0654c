import { idAlphabet } from '@signalbox/contract'
import { takeRandomBytes } from '../../crypto/random.ts'
import { hashToken } from '../../crypto/tokens.ts'

/** Limits how long a secret waits for its first code. */
export const pendingMs = 10 * 60_000
/** Counts the recovery codes of a second factor. */
const recoveryCodeCount = 10

/** Allows a few wrong codes without a delay. Then every network waits: a person who guesses codes has the password already. */
const freeFailures = 3
const longestWaitMs = 15 * 60_000

/** Returns the wait after `failures` wrong codes in a row: none for the first three, then 1, 2, 4 … seconds, at most 15 minutes. */
export function codeWaitMs(failures: number): number {
  return failures <= freeFailures
    ? 0
    : Math.min(longestWaitMs, 1000 * 2 ** (failures - freeFailures - 1))
}

/** Returns the address that the secret of a person's authenticator is sealed for. */
export function sealAddress(userId: string): string {
  return `second_factors|${userId}`
}

/** Describes a typed code: of the authenticator, or for recovery. */
export type ReadCode =
  | { readonly kind: 'totp'; readonly digits: string }
  | { readonly kind: 'recovery'; readonly hash: Buffer }

/** Reads a typed code, without the spaces and dashes that make it readable; `undefined` for neither kind of code. */
export function readCode(typed: string): ReadCode | undefined {
  const text = typed.replaceAll(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(text)) return { kind: 'totp', digits: text }
  // Letters that people take for others (Crockford's base 32).
  const letters = text.replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return letters.length === recoveryLength
    ? { kind: 'recovery', hash: hashToken(letters) }
    : undefined
}

/** 16 letters of 5 bits: so many that a plain hash of them cannot be guessed. */
const recoveryLength = 16

/** Describes a recovery code with its hash. */
export interface RecoveryCode {
  /** As it is shown, once. Example: `8m3k-zt5w-0q7r-xy2a`. */
  readonly text: string
  /** As it is stored. */
  readonly hash: Buffer
}

/** Creates recovery codes for a lost authenticator, each of which works once. */
export function newRecoveryCodes(): RecoveryCode[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const letters = [...takeRandomBytes(recoveryLength)]
      .map((byte) => idAlphabet.charAt(byte % 32))
      .join('')
    return { text: letters.replaceAll(/(.{4})(?=.)/g, '$1-'), hash: hashToken(letters) }
  })
}
