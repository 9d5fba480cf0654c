import { takeRandomBytes } from '../../crypto/random.ts'
import { sign } from '../../crypto/sign.ts'

/** Holds the letters of codes: no vowels, so that no word appears, and no letter that looks like a digit (RFC 8628 §6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
/** Makes 20^8, about 2^34 codes: with the limits on guesses, too many to be guessed in ten minutes. */
const length = 8
/** The largest multiple of the alphabet's length in a byte: what lies above would make some letters more likely. */
const fair = 256 - (256 % alphabet.length)

/** Returns a code that a person reads off one screen and types at another, without its hyphen. Example: `WDJBMJHT`. */
export function newUserCode(): string {
  let code = ''
  while (code.length < length) {
    for (const byte of takeRandomBytes(length)) {
      if (byte < fair && code.length < length) code += alphabet[byte % alphabet.length]
    }
  }
  return code
}

/** Renders a code with its hyphen. Example: `WDJB-MJHT`. */
export function renderUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

const codePattern = new RegExp(`^[${alphabet}]{${length}}$`)

/** Reads a typed code, in any case and grouping; `undefined` when it is no code. */
export function readUserCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return codePattern.test(code) ? code : undefined
}

/** Hashes a code for storing, with a key: all codes there are could be hashed in minutes. */
export function hashUserCode(key: Buffer, code: string): Buffer {
  return Buffer.from(sign(key, `user-code|${code}`), 'base64url')
}
