import { createPublicKey, verify, type KeyObject } from 'node:crypto'

const publicKeyHex = /^[0-9a-f]{64}$/i
const signatureHex = /^[0-9a-f]{128}$/i

/** Parses the 128 hexadecimal digits of an Ed25519 signature. Returns `undefined` for anything else. */
export function parseEd25519Hex(text: string): Buffer | undefined {
  return signatureHex.test(text) ? Buffer.from(text, 'hex') : undefined
}

/**
 * Returns whether one of the public keys, each 64 hexadecimal digits, made the signature of `prefix` and `body`. A key that is
 * none matches nothing.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8032#section-5.1
 */
export function verifyEd25519(
  publicKeys: readonly string[],
  { signature, prefix }: { readonly signature: Buffer; readonly prefix: string },
  body: Buffer,
): boolean {
  const signed = Buffer.concat([Buffer.from(prefix), body])
  return publicKeys.some((hex) => {
    const key = toPublicKey(hex)
    return key !== undefined && verify(null, signed, key, signature)
  })
}

function toPublicKey(hex: string): KeyObject | undefined {
  if (!publicKeyHex.test(hex)) return undefined
  const x = Buffer.from(hex, 'hex').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
