import { hashToken } from './tokens.ts'
import { takeRandomBytes } from './random.ts'

/** 43 characters of base64url: 256 bits. */
const opaquePattern = /^[A-Za-z0-9_-]{43}$/

/** Describes a new token with the hash that is stored. */
export interface OpaqueToken {
  /** Given to the browser or printed once; never stored. */
  readonly token: string
  /** SHA-256 of the token, as it is stored. */
  readonly hash: Buffer
}

/** Returns a token without structure, for sessions and one-time links: 256 random bits. */
export function newOpaqueToken(): OpaqueToken {
  const token = takeRandomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** Returns the hash to look a session or link up by, or `undefined` when `token` has not the form of one. */
export function hashOpaqueToken(token: string): Buffer | undefined {
  return opaquePattern.test(token) ? hashToken(token) : undefined
}
