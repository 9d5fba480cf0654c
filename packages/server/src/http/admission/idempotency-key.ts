import { createHmac } from 'node:crypto'
import { Problem } from '@signalbox/contract'
import type { Target } from '../input/target.ts'

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

/** What makes a request the same one: asked for under another name of the organization, it is another. */
export interface RepeatableRequest {
  readonly method: string
  /** `null`: about no organization. */
  readonly orgId: string | null
  readonly target: Target
  readonly body: Uint8Array
}

/** Tells one request from another under the same key, without telling what is in either. In hex. */
export type HashRequest = (request: RepeatableRequest) => string

/**
 * Opens the hash (HMAC-SHA256) with `key`, which every node must have alike. Without a key, whoever has the database could
 * find a short secret in a body by trying.
 */
export function createHashRequest(key: Buffer): HashRequest {
  return ({ method, orgId, target, body }) => {
    const head = JSON.stringify([method, orgId, target.path, target.query])
    return createHmac('sha256', key).update(`${head}\n`).update(body).digest('hex')
  }
}
