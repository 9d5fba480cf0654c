import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { claimedTokenKind, type TokenKind } from '@signalbox/contract'
import { randomBase62, toBase62 } from './base62.ts'

const handleLength = 10
const secretLength = 30
const checksumLength = 6

/** Describes a token in the form it was given, taken apart. Says nothing about whether it was ever issued. */
export interface ReadToken {
  readonly kind: TokenKind
  /** The public part, by which the token is looked up and shown. */
  readonly handle: string
  /** SHA-256 of the whole token: the only form of it that is ever stored. */
  readonly hash: Buffer
}

/** Describes a new token with the parts that are stored. */
export interface NewToken extends ReadToken {
  /** Shown once and never stored. */
  readonly token: string
}

/** Creates a token of `kind` with 178 random bits. */
export function newToken(kind: TokenKind): NewToken {
  const handle = randomBase62(handleLength)
  const body = `sbx_${kind}_${handle}${randomBase62(secretLength)}`
  const token = body + checksum(body)
  return { kind, handle, token, hash: hashToken(token) }
}

/** Takes a token apart, or answers `undefined` for anything we cannot have issued. Needs no look-up. */
export function readToken(token: string): ReadToken | undefined {
  const kind = claimedTokenKind(token)
  if (kind === undefined) return undefined
  const body = token.slice(0, -checksumLength)
  if (checksum(body) !== token.slice(-checksumLength)) return undefined
  const handleAt = 'sbx_'.length + kind.length + 1
  return { kind, handle: token.slice(handleAt, handleAt + handleLength), hash: hashToken(token) }
}

/** Returns SHA-256 of a token. Fit for storing, because what it hides is random. Not for passwords. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** CRC-32 of everything before it, so that a mistyped or invented token costs no look-up. */
function checksum(body: string): string {
  return toBase62(crc32(body), checksumLength)
}
