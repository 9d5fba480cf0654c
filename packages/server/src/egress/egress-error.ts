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
  /** True when the request never left, so that the other server cannot have done anything. */
  readonly isUnsent: boolean

  constructor(code: EgressFailure, host: string, options: { readonly cause?: unknown } = {}) {
    super(`The call to ${host} failed: ${code}`, options)
    this.code = code
    this.host = host
    this.isUnsent =
      code === 'invalid_url' || code === 'address_forbidden' || isUnconnected(options.cause)
  }
}

const unconnected: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Returns whether a call failed before there was a connection. One that broke later may have carried the request. */
function isUnconnected(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  const [code, syscall] = [Reflect.get(cause, 'code'), Reflect.get(cause, 'syscall')]
  return unconnected.has(code) || syscall === 'connect' || syscall === 'getaddrinfo'
}
