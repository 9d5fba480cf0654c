import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import { takeRandomBytes } from './random.ts'

/** Describes a key that seals the values of one organization. */
export interface DataKey {
  readonly orgId: string
  readonly version: number
  readonly key: KeyObject
  /** Counts the seals of this process since the count was last taken. */
  readonly seals: SealCount
}

/** Counts the seals of a data key. */
export interface SealCount {
  count: number
}

/**
 * Lists the reasons why a sealed value does not open. The caller is never at fault: the stored bytes or the keys are
 * wrong.
 */
export type UnsealFailure = 'format' | 'unknown_key' | 'not_authentic'

/** Reports that a sealed value does not open. It is thrown so that unauthenticated bytes are never returned. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError'
  readonly reason: UnsealFailure

  constructor(reason: UnsealFailure) {
    super(`A sealed value cannot be opened: ${reason}`)
    this.reason = reason
  }
}

const format = 1
const nonceBytes = 12
const tagBytes = 16
const headerBytes = 1 + 4
/** Counts the bytes by which a sealed value is longer than its content. */
export const sealOverheadBytes = headerBytes + nonceBytes + tagBytes

/**
 * Seals `plaintext` so that it opens only with the same key and the same `context`. The context names where the value
 * is stored: `org_…|current_values|sch_…|env_…|stripeKey`. A value that is moved elsewhere does not open.
 *
 * Layout: format 1 | key version 4 | nonce 12 | ciphertext | tag 16 (AES-256-GCM, NIST SP 800-38D).
 */
export function seal(dataKey: DataKey, context: string, plaintext: Buffer | string): Buffer {
  dataKey.seals.count++
  const header = Buffer.alloc(headerBytes)
  header.writeUInt8(format, 0)
  header.writeUInt32BE(dataKey.version, 1)
  const nonce = newNonce()
  const cipher = createCipheriv('aes-256-gcm', dataKey.key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(additionalData(dataKey.version, context))
  const start =
    typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext)
  return Buffer.concat([header, nonce, start, cipher.final(), cipher.getAuthTag()])
}

/**
 * Returns the content of a sealed value.
 *
 * @throws {UnsealError} when any byte, the context or the key differs from what was sealed.
 */
export function open(keys: DataKey | readonly DataKey[], context: string, sealed: Buffer): Buffer {
  const version = sealedVersion(sealed)
  const dataKey = ('version' in keys ? [keys] : keys).find((key) => key.version === version)
  if (dataKey === undefined) throw new UnsealError('unknown_key')
  const nonce = sealed.subarray(headerBytes, headerBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', dataKey.key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(additionalData(version, context))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const start = decipher.update(sealed.subarray(headerBytes + nonceBytes, -tagBytes))
  try {
    return Buffer.concat([start, decipher.final()])
  } catch {
    throw new UnsealError('not_authentic')
  }
}

/** Returns the version of the data key that a value was sealed with. */
export function sealedVersion(sealed: Buffer): number {
  if (sealed.length < sealOverheadBytes || sealed[0] !== format) throw new UnsealError('format')
  return sealed.readUInt32BE(1)
}

/** Returns 96 random bits. A key may see 2^32 of them before a repeat becomes likely enough to matter. */
export function newNonce(): Buffer {
  return takeRandomBytes(nonceBytes)
}

function additionalData(version: number, context: string): Buffer {
  return Buffer.from(`${format}|${version}|${context}`)
}
