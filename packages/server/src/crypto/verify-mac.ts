import { createHmac, timingSafeEqual } from 'node:crypto'

/** Describes the signature that a request brings, made with a secret that the sender shares with us. */
export interface ClaimedMac {
  /** The 32 bytes of an HMAC-SHA256. */
  readonly mac: Buffer
  /** Signed before the body. Example: `v0:1764000000:`; empty where the body alone is signed. */
  readonly prefix: string
}

const macHex = /^[0-9a-f]{64}$/i

/** Reads the 64 hexadecimal digits of an HMAC-SHA256. `undefined` for anything else, longer or shorter texts included. */
export function parseMacHex(text: string): Buffer | undefined {
  return macHex.test(text) ? Buffer.from(text, 'hex') : undefined
}

/**
 * Returns whether one of `secrets` made the claimed HMAC-SHA256 over the prefix and `body`. It tries all of them, and takes as long
 * for a near miss as for a far one. An empty secret never fits: it is one that was forgotten.
 */
export function verifyMac(
  secrets: readonly string[],
  { mac, prefix }: ClaimedMac,
  body: Buffer,
): boolean {
  let isGenuine = false
  for (const secret of secrets) {
    if (secret === '') continue
    const expected = createHmac('sha256', secret).update(prefix).update(body).digest()
    if (expected.length === mac.length && timingSafeEqual(expected, mac)) isGenuine = true
  }
  return isGenuine
}
