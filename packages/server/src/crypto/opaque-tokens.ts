import { hashToken } from './tokens.ts'
import { takeRandomBytes } from './random.ts'

/** 43 characters of base64url: 256 bits. */
const opaquePattern = /^[A-Za-z0-9_-]{43}$/

/** Describes a new token with the hash that is stored. */
export interface OpaqueToken {
  /** Holds the token, which is sent to the browser or printed once, and never stored. */
  readonly token: string
  /** Holds the SHA-256 of the token, as it is stored. */
  readonly hash: Buffer
}

/** Returns a token without structure, for sessions and one-time links: 256 random bits. */
export function newOpaqueToken(): OpaqueToken {
  const token = takeRandomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** Returns the hash that finds a session or a link; `undefined` when `token` has the wrong form. */
export function hashOpaqueToken(token: string): Buffer | undefined {
  return opaquePattern.test(token) ? hashToken(token) : undefined
}
