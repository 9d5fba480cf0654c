import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import { takeRandomBytes } from './random.ts'
import { deriveKey, type RootKey } from './root-key.ts'
import { newNonce, UnsealError, type DataKey } from './seal.ts'

/** Describes a data key as it is stored: bytes that only the root key of this id opens. */
export interface WrappedDataKey {
  readonly orgId: string
  readonly version: number
  readonly wrapped: Buffer
}

/** Limits the seals of a data key before it is replaced: far below 2^32, where random nonces begin to repeat. */
export const sealsPerDataKey = 2 ** 30

const format = 1
const idBytes = 12
const nonceBytes = 12
const keyBytes = 32
const tagBytes = 16
const wrappedBytes = 1 + idBytes + nonceBytes + keyBytes + tagBytes

/** Returns a fresh data key for an organization. Versions begin at 1 and grow. */
export function newDataKey(orgId: string, version: number): DataKey {
  return { orgId, version, key: createSecretKey(takeRandomBytes(keyBytes)), seals: { count: 0 } }
}

/**
 * Wraps a data key for storage. It opens only for the same organization and version.
 *
 * Layout: format 1 | root key id 12 | nonce 12 | ciphertext 32 | tag 16.
 */
export function wrapDataKey(rootKey: RootKey, { orgId, version, key }: DataKey): Buffer {
  const header = Buffer.concat([Buffer.of(format), Buffer.from(rootKey.id, 'base64url')])
  const nonce = newNonce()
  const cipher = createCipheriv('aes-256-gcm', deriveKey(rootKey, 'wrap'), nonce, {
    authTagLength: tagBytes,
  })
  cipher.setAAD(additionalData(header, orgId, version))
  const sealed = Buffer.concat([cipher.update(key.export()), cipher.final()])
  return Buffer.concat([header, nonce, sealed, cipher.getAuthTag()])
}

/**
 * Unwraps a stored data key with the root key that wrapped it; during a rotation there are two.
 *
 * @throws {UnsealError} `unknown_key` when none of `rootKeys` wrapped it, `not_authentic` when it was changed or moved.
 */
export function unwrapDataKey(
  rootKeys: readonly RootKey[],
  { orgId, version, wrapped }: WrappedDataKey,
): DataKey {
  const id = wrappingKeyId(wrapped)
  const rootKey = rootKeys.find((candidate) => candidate.id === id)
  if (rootKey === undefined) throw new UnsealError('unknown_key')
  const header = wrapped.subarray(0, 1 + idBytes)
  const nonce = wrapped.subarray(1 + idBytes, 1 + idBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(rootKey, 'wrap'), nonce, {
    authTagLength: tagBytes,
  })
  decipher.setAAD(additionalData(header, orgId, version))
  decipher.setAuthTag(wrapped.subarray(-tagBytes))
  const start = decipher.update(wrapped.subarray(1 + idBytes + nonceBytes, -tagBytes))
  try {
    const bytes = Buffer.concat([start, decipher.final()])
    return { orgId, version, key: createSecretKey(bytes), seals: { count: 0 } }
  } catch {
    throw new UnsealError('not_authentic')
  }
}

/** Returns the id of the root key that wrapped a data key, so that a rotation finds the remaining ones. */
export function wrappingKeyId(wrapped: Buffer): string {
  if (wrapped.length !== wrappedBytes || wrapped[0] !== format) throw new UnsealError('format')
  return wrapped.subarray(1, 1 + idBytes).toString('base64url')
}

/** Returns the seals since the last call, to be added to the stored count, and resets them. */
export function takeSealCount({ seals }: DataKey): number {
  const { count } = seals
  seals.count = 0
  return count
}

function additionalData(header: Buffer, orgId: string, version: number): Buffer {
  return Buffer.concat([header, Buffer.from(`|data-key|${orgId}|${version}`)])
}
