import { takeRandomBytes } from './random.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Bytes at or above the largest multiple of 62 are discarded, because they would make the first letters likelier. */
const acceptBelow = 248

/** Returns `length` evenly distributed characters of `0-9A-Za-z`: 5.95 bits each. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of takeRandomBytes(length + 4)) {
      if (byte < acceptBelow && text.length < length) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}

/** Renders `value` in base 62, padded with zeros in front to `length`. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++) {
    text = alphabet.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}
