import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { takeRandomBytes } from './random.ts'

/** Describes the one key that the operator keeps. All others are derived from it or wrapped by it. */
export interface RootKey {
  readonly key: KeyObject
  /** Identifies the root key without revealing it: 16 characters, stored beside what the key wraps. */
  readonly id: string
}

/** Lists the purposes of derived keys. Each label has one purpose: keys of different labels are unrelated. */
export type KeyLabel =
  | 'check'
  | 'wrap'
  | 'cursors'
  | 'idempotency'
  | 'state'
  | 'access-tokens'
  | 'delivery-cache'
  | 'sessions'
  | 'sign-in'

const rootKeyBytes = 32

/** 43 characters of base64url hold 258 bits; the last character must leave the two surplus bits zero. */
const rootKeyPattern = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** Returns a fresh root key. */
export function generateRootKey(): RootKey {
  return toRootKey(takeRandomBytes(rootKeyBytes))
}

/** Parses a root key from its text form. Throws without repeating the text when it is not one. */
export function parseRootKey(text: string): RootKey {
  if (!rootKeyPattern.test(text)) {
    throw new Error(
      'The root key must be 32 bytes as 43 characters of base64url. Make one with: openssl rand 32 | basenc --base64url | tr -d =',
    )
  }
  return toRootKey(Buffer.from(text, 'base64url'))
}

/** Returns the text form of a root key, the value of `SIGNALBOX_ROOT_KEY`. */
export function renderRootKey({ key }: RootKey): string {
  return key.export().toString('base64url')
}

/** Returns 32 bytes for one purpose (HKDF-SHA256, RFC 5869). The same root key and label always give the same bytes. */
export function deriveKey({ key }: Pick<RootKey, 'key'>, label: KeyLabel): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `signalbox/1/${label}`, 32))
}

function toRootKey(bytes: Buffer): RootKey {
  const key = createSecretKey(bytes)
  return { key, id: deriveKey({ key }, 'check').subarray(0, 12).toString('base64url') }
}
