/**
 * Lists the reasons why an outbound call gave no answer.
 *
 * - `invalid_url`: not an http(s) address, or one with credentials in it; plain http only where the operator allows it.
 * - `address_forbidden`: the host resolves to an address that is not public.
 * - `timeout`: the whole call took too long.
 * - `too_large`: the decompressed answer is too large.
 * - `encoding`: the answer is compressed in a way we do not support.
 * - `connection`: refused, reset, or the name does not resolve.
 */
export type EgressFailure =
  | 'invalid_url'
  | 'address_forbidden'
  | 'timeout'
  | 'too_large'
  | 'encoding'
  | 'connection'

/** Reports an outbound call that gave no answer. Names the host, and never the path, the query or the body. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly code: EgressFailure
  readonly host: string

  constructor(code: EgressFailure, host: string, options: { readonly cause?: unknown } = {}) {
    super(`The call to ${host} failed: ${code}`, options)
    this.code = code
    this.host = host
  }
}
