/** Holds the length of a glance in letters. Shorter secrets are not searched for. */
export const glanceLength = 8

/** Derives the odd multiplier of the rolling hash from the salt. */
function multiplierOf(salt: string): number {
  return Buffer.from(salt, 'base64url').readUInt32LE(0) | 1
}

/** Returns 16 bits of the first letters of `text`. */
export function glanceAt(text: string, salt: string): number {
  const multiplier = multiplierOf(salt)
  let hash = 0
  for (let at = 0; at < glanceLength; at += 1) {
    hash = (Math.imul(hash, multiplier) + text.charCodeAt(at)) | 0
  }
  return hash >>> 16
}

/**
 * Calls `visit` with every position of `text` whose glance is set in `marks` (Karp and Rabin 1987: the hash of each
 * position follows from the one before).
 */
export function forEachGlance(
  text: string,
  salt: string,
  marks: Uint8Array,
  visit: (at: number, glance: number) => void,
): void {
  const multiplier = multiplierOf(salt)
  let leaving = 1
  for (let times = 0; times < glanceLength; times += 1) leaving = Math.imul(leaving, multiplier)
  let hash = 0
  for (let at = 0; at < text.length; at += 1) {
    hash = (Math.imul(hash, multiplier) + text.charCodeAt(at)) | 0
    const start = at - glanceLength
    if (start >= 0) hash = (hash - Math.imul(leaving, text.charCodeAt(start))) | 0
    if (start >= -1 && marks[hash >>> 16] === 1) visit(start + 1, hash >>> 16)
  }
}
