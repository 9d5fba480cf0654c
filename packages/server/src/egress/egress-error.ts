/**
 * Why an outbound call gave no answer.
 *
 * - `invalid_url`: not an http(s) address, or one with credentials in it; plain http only where the operator allows it.
 * - `address_forbidden`: the host leads to an address that is not public.
 * - `timeout`: the whole call took longer than it may.
 * - `too_large`: the answer, unpacked, is larger than it may be.
 * - `encoding`: the answer is packed in a way we did not ask for and do not unpack.
 * - `connection`: refused, reset, or the name does not resolve.
 */
export type EgressFault =
  | 'invalid_url'
  | 'address_forbidden'
  | 'timeout'
  | 'too_large'
  | 'encoding'
  | 'connection'

/** An outbound call that gave no answer. Names the host, never the path, the query or what was sent. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly code: EgressFault
  readonly host: string

  constructor(code: EgressFault, host: string, options: { readonly cause?: unknown } = {}) {
    super(`The call to ${host} failed: ${code}`, options)
    this.code = code
    this.host = host
  }
}
