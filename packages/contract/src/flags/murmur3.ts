import { toUtf8 } from './utf8.ts'

/** Describes the state of a hash after a part of its text. */
export interface HashState {
  /** Holds the hash of all whole blocks of four bytes. */
  readonly hash: number
  /** Holds the bytes after them, the first one lowest. */
  readonly rest: number
  /** Counts the bytes so far. */
  readonly length: number
}

/** Holds the state of a hash before any text. */
export const emptyState: HashState = { hash: 0, rest: 0, length: 0 }

/**
 * Adds a text to a MurmurHash3_x86_32 over UTF-8 bytes, seed 0: a whole number from 0 to 4,294,967,295. Half of a
 * surrogate pair counts as U+FFFD, as a TextEncoder writes it. It uses no function of a platform, so servers and
 * clients share it. It takes a text in parts, so that a common beginning is hashed once.
 *
 * @see https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp
 */
export function absorb(state: HashState, text: string): HashState {
  let { hash, rest, length } = state
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= 0x80) return absorbBytes({ hash, rest, length }, toUtf8(text.slice(at)))
    rest |= unit << ((length & 3) * 8)
    length += 1
    if ((length & 3) === 0) {
      hash = mixBlock(hash, rest)
      rest = 0
    }
  }
  return { hash, rest, length }
}

/** Adds a text whose first character is not ASCII. */
function absorbBytes(state: HashState, bytes: readonly number[]): HashState {
  let { hash, rest, length } = state
  for (const byte of bytes) {
    rest |= byte << ((length & 3) * 8)
    length += 1
    if ((length & 3) === 0) {
      hash = mixBlock(hash, rest)
      rest = 0
    }
  }
  return { hash, rest, length }
}

function mixBlock(hash: number, block: number): number {
  return (Math.imul(rotate(hash ^ scramble(block), 13), 5) + 0xe6546b64) | 0
}

/** Returns the hash of the absorbed text. */
export function finish({ hash, rest, length }: HashState): number {
  let mixed = hash ^ scramble(rest) ^ length
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function scramble(value: number): number {
  return Math.imul(rotate(Math.imul(value, 0xcc9e2d51), 15), 0x1b873593)
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
