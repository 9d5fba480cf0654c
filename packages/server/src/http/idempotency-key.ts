import { createHash } from 'node:crypto'
import { Problem } from '@signalbox/contract'

const visible = /^[\u0021-\u007E]{1,255}$/

/**
 * The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header-07), in quotes or without.
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

/** Tells one request from another under the same key: SHA-256 of method, target and body in hex. */
export function hashRequest(method: string, target: string, body: Uint8Array): string {
  return createHash('sha256').update(`${method} ${target}\n`).update(body).digest('hex')
}
