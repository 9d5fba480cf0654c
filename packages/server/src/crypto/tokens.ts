import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { claimedTokenKind, type TokenKind } from '@signalbox/contract'
import { randomBase62, toBase62 } from './base62.ts'

const handleLength = 10
const secretLength = 30
const checksumLength = 6

/** Describes a parsed token. Says nothing about whether it was ever issued. */
export interface ReadToken {
  readonly kind: TokenKind
  /** Holds the public part, by which the token is found and shown. */
  readonly handle: string
  /** Holds the SHA-256 of the whole token, the only form that is stored. */
  readonly hash: Buffer
}

/** Describes a new token with the parts that are stored. */
export interface NewToken extends ReadToken {
  /** Holds the whole token, which is shown once and never stored. */
  readonly token: string
}

/** Creates a token of `kind` with 178 random bits. */
export function newToken(kind: TokenKind): NewToken {
  const handle = randomBase62(handleLength)
  const body = `sbx_${kind}_${handle}${randomBase62(secretLength)}`
  const token = body + checksum(body)
  return { kind, handle, token, hash: hashToken(token) }
}

/** Parses a token; returns `undefined` for anything we cannot have issued. Needs no lookup. */
export function readToken(token: string): ReadToken | undefined {
  const kind = claimedTokenKind(token)
  if (kind === undefined) return undefined
  const body = token.slice(0, -checksumLength)
  if (checksum(body) !== token.slice(-checksumLength)) return undefined
  const handleAt = 'sbx_'.length + kind.length + 1
  return { kind, handle: token.slice(handleAt, handleAt + handleLength), hash: hashToken(token) }
}

/**
 * Returns the SHA-256 of a token for storage. That is enough because a token is random; a password needs
 * `hashPassword`.
 */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Computes the CRC-32 at the end of a token, so that a mistyped or invented token costs no lookup. */
function checksum(body: string): string {
  return toBase62(crc32(body), checksumLength)
}
