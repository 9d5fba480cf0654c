import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns HMAC-SHA256 of `text` as 43 characters of base64url. */
export function sign(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

/** Returns whether `signature` is that of `text`. Takes the same time for a near miss and a far one. */
export function verifySignature(key: Buffer, text: string, signature: string): boolean {
  return equalInConstantTime(sign(key, text), signature)
}

/** Returns whether two texts are equal, without revealing where they differ. Their lengths are not hidden. */
function equalInConstantTime(expected: string, actual: string): boolean {
  const a = Buffer.from(expected)
  const b = Buffer.from(actual)
  return a.length === b.length && timingSafeEqual(a, b)
}
