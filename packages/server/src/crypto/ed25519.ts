import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** Returns 32 bytes as an Ed25519 private key (PKCS #8, RFC 8410 §7). */
export function toEd25519PrivateKey(seed: Buffer): KeyObject {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

/** Returns the 32 bytes of the public half as 43 characters of base64url: the member `x` of a JWK (RFC 8037 §2). */
export function renderEd25519PublicKey(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (x === undefined) throw new Error('The key is not an Ed25519 key')
  return x
}
