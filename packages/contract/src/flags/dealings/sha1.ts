import { rotate, toPaddedBlocks } from './padded-blocks.ts'

/**
 * Returns the SHA-1 of a text in UTF-8 as 40 hexadecimal digits. Rules are evaluated without waiting and in every runtime,
 * so it uses no function of a platform. It deals users and protects nothing.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3174
 */
export function sha1(text: string): string {
  let state: readonly number[] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
  for (const block of toPaddedBlocks(text, 'bigEndian')) state = absorbBlock(state, block)
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

// oxlint-disable-next-line complexity -- the five words of the state have no default of their own
function absorbBlock(state: readonly number[], block: readonly number[]): readonly number[] {
  const words = [...block]
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state
  for (let at = 0; at < 80; at += 1) {
    if (at >= 16) {
      const [one = 0, two = 0, three = 0, four = 0] = [3, 8, 14, 16].map((back) => words[at - back])
      words.push(rotate(one ^ two ^ three ^ four, 1))
    }
    const next = (rotate(a, 5) + mix(at, b, c, d) + e + (words[at] ?? 0)) | 0
    ;[e, d, c, b, a] = [d, c, rotate(b, 30), a, next]
  }
  return [a, b, c, d, e].map((word, index) => (word + (state[index] ?? 0)) | 0)
}

function mix(at: number, b: number, c: number, d: number): number {
  if (at < 20) return ((b & c) | (~b & d)) + 0x5a827999
  if (at < 40) return (b ^ c ^ d) + 0x6ed9eba1
  return at < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6
}
