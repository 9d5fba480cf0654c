import { createHash } from 'node:crypto'
import { idAlphabet, type IdKind } from '@signalbox/contract'
import { takeRandomBytes } from './random.ts'

const timeCharacters = 10
const randomCharacters = 16

/** Returns a fresh id of `kind` that sorts by `now`, to the millisecond. Unique by chance: 80 random bits. */
export function newId(kind: IdKind, now: Date): string {
  let chance = ''
  // 256 is a multiple of 32, so the lowest five bits of a byte are evenly distributed.
  for (const byte of takeRandomBytes(randomCharacters)) chance += idAlphabet.charAt(byte & 31)
  return leastId(kind, now) + chance
}

/** Returns the beginning of the ids of `kind` that are made at `moment`. Compared by bytes, every later id is greater. */
export function leastId(kind: IdKind, moment: Date): string {
  let time = ''
  for (let rest = moment.getTime(), i = 0; i < timeCharacters; i++) {
    time = idAlphabet.charAt(rest % 32) + time
    rest = Math.floor(rest / 32)
  }
  return `${kind}_${time}`
}

/** Returns the id of `kind` that stands for a content: equal contents have equal ids. It has no time. */
export function deriveId(kind: IdKind, content: string): string {
  let body = ''
  for (const byte of createHash('sha256').update(content).digest())
    body += idAlphabet.charAt(byte & 31)
  // The first character of an id is below 8.
  return `${kind}_0${body.slice(0, timeCharacters + randomCharacters - 1)}`
}
