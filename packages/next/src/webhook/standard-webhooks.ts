/**
 * Implements the signatures of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over
 * `id.timestamp.body`, in base64 behind `v1,`. It uses Web Crypto alone, so that it runs wherever Next.js does.
 */

const secretPrefix = 'whsec_'

/** The specification recommends 24 to 64 bytes, and its own example has 18. */
const keyBytes = { least: 16, most: 64 }

/** Limits the difference of the two clocks, and the delay of a message. */
const toleranceSeconds = 300

/** Holds the parts of a message that are signed. */
export interface SignedParts {
  readonly id: string
  /** Holds the seconds since 1970, as in the header. */
  readonly timestamp: string
  readonly body: string
}

const encoder = new TextEncoder()

/**
 * Reads a secret of the form `whsec_<base64 of 16 to 64 bytes>`.
 *
 * @throws {RangeError} for any other, without repeating it.
 */
export async function importSecret(secret: string): Promise<CryptoKey> {
  const key = decodeBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : '')
  if (key === undefined || key.length < keyBytes.least || key.length > keyBytes.most) {
    throw new RangeError(
      'The secret of a webhook is "whsec_" and the base64 of 16 to 64 random bytes, such as from "openssl rand -base64 32"',
    )
  }
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])
}

/** Returns the value of the header `webhook-signature`. */
export async function sign(key: CryptoKey, parts: SignedParts): Promise<string> {
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signedBytes(parts)))
  return `v1,${btoa(String.fromCharCode(...signature))}`
}

/**
 * Returns whether one of the signatures in `header` belongs to the message, and whether the message is a few minutes
 * old at most. A sender that changes its secret signs with both for a while.
 */
export async function isGenuine(
  key: CryptoKey,
  parts: SignedParts,
  header: string,
  nowSeconds: number,
): Promise<boolean> {
  const at = /^\d{1,12}$/.test(parts.timestamp) ? Number(parts.timestamp) : Number.NaN
  if (parts.id === '' || !(Math.abs(nowSeconds - at) <= toleranceSeconds)) return false
  for (const candidate of header.split(' ').slice(0, 10)) {
    const signature = candidate.startsWith('v1,') ? decodeBase64(candidate.slice(3)) : undefined
    if (signature === undefined) continue
    if (await crypto.subtle.verify('HMAC', key, signature, signedBytes(parts))) return true
  }
  return false
}

function signedBytes({ id, timestamp, body }: SignedParts): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${id}.${timestamp}.${body}`)
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
