import { idAlphabet, type IdKind } from '@signalbox/contract'
import { takeRandomBytes } from './random.ts'

const timeCharacters = 10
const randomCharacters = 16

/** Returns a fresh id of `kind` that sorts by `now`, to the millisecond. Unique by chance: 80 random bits. */
export function newId(kind: IdKind, now: Date): string {
  let time = ''
  for (let rest = now.getTime(), i = 0; i < timeCharacters; i++) {
    time = idAlphabet.charAt(rest % 32) + time
    rest = Math.floor(rest / 32)
  }
  let chance = ''
  // 256 is a multiple of 32, so the lowest five bits of a byte are evenly distributed.
  for (const byte of takeRandomBytes(randomCharacters)) chance += idAlphabet.charAt(byte & 31)
  return `${kind}_${time}${chance}`
}
