import { toUtf8 } from '../utf8.ts'

/**
 * Returns a text as blocks of 16 words, padded as MD5 and SHA-1 pad it: a bit, zeros, and the length in bits.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1321 section 3.1, and https://www.rfc-editor.org/rfc/rfc3174 section 4
 */
export function toPaddedBlocks(text: string, order: 'bigEndian' | 'littleEndian'): number[][] {
  const bytes = toUtf8(text)
  const bits = bytes.length * 8
  bytes.push(0x80)
  const blocks: number[][] = []
  const count = Math.ceil((bytes.length + 8) / 64)
  const shiftOf = (at: number) => (order === 'bigEndian' ? 24 - (at & 3) * 8 : (at & 3) * 8)
  for (let block = 0; block < count; block += 1) {
    const words = Array.from({ length: 16 }, () => 0)
    for (let at = 0; at < 64; at += 1) {
      const byte = bytes[block * 64 + at] ?? 0
      words[at >> 2] = (words[at >> 2] ?? 0) | (byte << shiftOf(at))
    }
    blocks.push(words)
  }
  const last = blocks.at(-1)
  if (last !== undefined) last[order === 'bigEndian' ? 15 : 14] = bits
  return blocks
}

/** Rotates a word of 32 bits to the left. */
export function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
