import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto'
import {
  publisherKeyId,
  renderSignature,
  renderSignedText,
  type SignedSnapshot,
} from '@signalbox/contract'
import { renderEd25519PublicKey, toEd25519PrivateKey } from './ed25519.ts'

/** Describes a key that signs snapshots. Clients know its public half. */
export interface PublisherKey {
  readonly id: string
  /** The 43 characters of base64url that clients are given. */
  readonly publicKey: string
  readonly privateKey: KeyObject
}

/** Returns the publisher key of 32 secret bytes. */
export function createPublisherKey(seed: Buffer): PublisherKey {
  const privateKey = toEd25519PrivateKey(seed)
  const publicKey = renderEd25519PublicKey(privateKey)
  return { id: publisherKeyId(publicKey), publicKey, privateKey }
}

/** Returns the header `Signalbox-Signature` of a snapshot whose body is `body`, with one signature by each key. */
export function signSnapshot(
  keys: readonly PublisherKey[],
  snapshot: SignedSnapshot,
  body: string,
): string {
  const text = renderSignedText(snapshot, hash('sha256', body, 'base64url'))
  return renderSignature({ ...snapshot, signatures: signText(keys, text) })
}

/** Returns the signature of a text by each key, as base64url, by the key's id. */
export function signText(keys: readonly PublisherKey[], text: string): Map<string, string> {
  const bytes = Buffer.from(text)
  return new Map(
    keys.map(({ id, privateKey }) => [id, sign(null, bytes, privateKey).toString('base64url')]),
  )
}

/** Renders signatures as they travel: `dGhlIGtl=MEUCIQ…`, with a space between. */
export function renderSignatures(signatures: ReadonlyMap<string, string>): string {
  return [...signatures].map(([id, signature]) => `${id}=${signature}`).join(' ')
}

/** Returns whether one of the public keys, 43 characters of base64url each, made one of the signatures of a text. */
export function isSignedBy(
  publicKeys: readonly string[],
  text: string,
  signatures: ReadonlyMap<string, string>,
): boolean {
  const bytes = Buffer.from(text)
  return publicKeys.some((x) => {
    const signature = signatures.get(publisherKeyId(x))
    if (signature === undefined) return false
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, bytes, key, Buffer.from(signature, 'base64url'))
  })
}
