/**
 * MurmurHash3_x86_32 of the UTF-8 bytes of `text`, seed 0: a whole number from 0 to 4,294,967,295. Half of a surrogate pair
 * counts as U+FFFD, as a TextEncoder writes it. Needs nothing of a platform, so servers and clients share it.
 *
 * @see https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp
 */
export function murmur3(text: string): number {
  const bytes = toUtf8(text)
  const blocksEnd = bytes.length & ~3
  let hash = 0
  for (let at = 0; at < blocksEnd; at += 4) {
    hash ^= scramble(word(bytes, at, 4))
    hash = rotate(hash, 13)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  if (blocksEnd < bytes.length) hash ^= scramble(word(bytes, blocksEnd, bytes.length - blocksEnd))
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Up to four bytes as one number, the first one lowest. */
function word(bytes: readonly number[], at: number, count: number): number {
  let value = 0
  for (let index = count - 1; index >= 0; index -= 1)
    value = (value << 8) | (bytes[at + index] ?? 0)
  return value
}

function scramble(value: number): number {
  return Math.imul(rotate(Math.imul(value, 0xcc9e2d51), 15), 0x1b873593)
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function toUtf8(text: string): number[] {
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point < 0x80) bytes.push(point)
    else pushLong(bytes, point >= 0xd800 && point < 0xe000 ? 0xfffd : point)
  }
  return bytes
}

function pushLong(bytes: number[], point: number): void {
  const last = (shift: number) => 0x80 | ((point >> shift) & 0x3f)
  if (point < 0x800) bytes.push(0xc0 | (point >> 6), last(0))
  else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), last(6), last(0))
  else bytes.push(0xf0 | (point >> 18), last(12), last(6), last(0))
}
