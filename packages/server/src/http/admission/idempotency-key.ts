import { createHmac } from 'node:crypto'
import { Problem } from '@signalbox/contract'
import type { Target } from '../input/target.ts'

const visible = /^[\u0021-\u007E]{1,255}$/

/**
 * Parses the `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header-07), in quotes or without.
 *
 * @throws {Problem} `invalid_header`.
 */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (!visible.test(key)) {
    const detail = 'Idempotency-Key must be 1 to 255 visible ASCII characters.'
    throw new Problem('invalid_header', detail)
  }
  return key
}

/** Holds what makes a request the same one. Another name of the organization in the path makes it another request. */
export interface RepeatableRequest {
  readonly method: string
  /** Holds the organization; `null` for none. */
  readonly orgId: string | null
  readonly target: Target
  readonly body: Uint8Array
}

/** Returns a hash in hex that distinguishes requests under the same key, without revealing their content. */
export type HashRequest = (request: RepeatableRequest) => string

/**
 * Creates the hash (HMAC-SHA256) with `key`, which must be the same on every node. Without a key, a reader of the
 * database could find a short secret in a body by trying.
 */
export function createHashRequest(key: Buffer): HashRequest {
  return ({ method, orgId, target, body }) => {
    const requestLine = JSON.stringify([method, orgId, target.path, target.query])
    return createHmac('sha256', key).update(`${requestLine}\n`).update(body).digest('hex')
  }
}
