import { rotate, toPaddedBlocks } from './padded-blocks.ts'

const shifts = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
]

/** Holds the whole part of `|sin(n + 1)| * 2^32` for each step. */
const sines = Array.from({ length: 64 }, (_, at) =>
  Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32),
)

/**
 * Returns the MD5 of a text in UTF-8 as 16 bytes. Like `sha1` it uses no function of a platform, and protects nothing.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1321
 */
export function md5(text: string): readonly number[] {
  let state: readonly number[] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (const block of toPaddedBlocks(text, 'littleEndian')) state = absorbBlock(state, block)
  return state.flatMap((word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 0xff))
}

function absorbBlock(state: readonly number[], block: readonly number[]): readonly number[] {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let at = 0; at < 64; at += 1) {
    const [mixed, word] = mix(at, b, c, d)
    const sum = (a + mixed + (sines[at] ?? 0) + (block[word] ?? 0)) | 0
    ;[a, d, c, b] = [d, c, b, (b + rotate(sum, shifts[at >> 4]?.[at & 3] ?? 0)) | 0]
  }
  return [a, b, c, d].map((word, index) => (word + (state[index] ?? 0)) | 0)
}

/** Returns the mixed words of a step, and which word of the block it takes. */
function mix(at: number, b: number, c: number, d: number): readonly [mixed: number, word: number] {
  if (at < 16) return [(b & c) | (~b & d), at]
  if (at < 32) return [(d & b) | (~d & c), (5 * at + 1) & 15]
  return at < 48 ? [b ^ c ^ d, (3 * at + 5) & 15] : [c ^ (b | ~d), (7 * at) & 15]
}
