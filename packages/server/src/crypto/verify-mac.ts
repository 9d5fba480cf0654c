import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Describes the signature of a request, made with a secret that the sender shares with us. */
export interface ClaimedMac {
  /** Holds the 32 bytes of an HMAC-SHA256. */
  readonly mac: Buffer
  /** Holds the text that is signed before the body. Example: `v0:1764000000:`; empty where the body alone is signed. */
  readonly prefix: string
}

const macHex = /^[0-9a-f]{64}$/i

/**
 * Parses the 64 hexadecimal digits of an HMAC-SHA256. Returns `undefined` for anything else, longer or shorter texts
 * included.
 */
export function parseMacHex(text: string): Buffer | undefined {
  return macHex.test(text) ? Buffer.from(text, 'hex') : undefined
}

/**
 * Returns whether one of `secrets` made the claimed HMAC-SHA256 over the prefix and `body`. Tries all of them, and
 * takes the same time for a near miss and a far one. An empty secret never matches: it is a missing one.
 */
export function verifyMac(
  secrets: readonly (string | Buffer)[],
  { mac, prefix }: ClaimedMac,
  body: Buffer,
): boolean {
  let isGenuine = false
  for (const secret of secrets) {
    if (secret.length === 0) continue
    const expected = createHmac('sha256', secret).update(prefix).update(body).digest()
    if (expected.length === mac.length && timingSafeEqual(expected, mac)) isGenuine = true
  }
  return isGenuine
}

/**
 * Returns whether a text is one of `secrets`. Compares hashes, so that the time tells neither where they differ nor how long
 * they are. An empty secret never matches.
 */
export function isOneOfSecrets(secrets: readonly string[], text: string): boolean {
  const hashOfText = hash(text)
  let isOne = false
  for (const secret of secrets) {
    if (timingSafeEqual(hash(secret), hashOfText) && secret !== '') isOne = true
  }
  return isOne
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
