import { toHeaderLines, type HeaderLines } from './header-lines.ts'

/** Everything the headers of an answer say that does not depend on its content. Compared by identity. */
export interface HeaderPolicy {
  /** `RateLimit-Policy`; `undefined` when nothing is limited. */
  readonly rateLimitPolicy: string | undefined
  /** Also sent with 304. */
  readonly lines: HeaderLines
}

/** The policies of one process. The same arguments give the same policy. */
export interface HeaderPolicies {
  /** Kept by any cache, and asked about before each use; shown for a day when we cannot be asked. */
  latest(allowOrigin: string | undefined): HeaderPolicy
  /** A version never changes. */
  version(allowOrigin: string | undefined): HeaderPolicy
  /** For this caller alone, kept nowhere. */
  readonly private: HeaderPolicy
}

const privateLines = toHeaderLines({ 'Cache-Control': 'private, no-store', Vary: 'Authorization' })

/**
 * The CORS headers of an answer to a browser key: any origin or the one named, never with credentials.
 * `undefined`: none, so that no page of another origin can read the answer.
 */
export function corsHeaders(allowOrigin: string | undefined): Record<string, string> {
  if (allowOrigin === undefined) return {}
  return {
    'Access-Control-Allow-Origin': allowOrigin,
    'Access-Control-Expose-Headers': 'ETag, Retry-After, X-Request-Id',
    'Timing-Allow-Origin': allowOrigin,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}

function sharedLines(cacheControl: string, allowOrigin: string | undefined): HeaderLines {
  const byOrigin = allowOrigin !== undefined && allowOrigin !== '*'
  return toHeaderLines({
    'Cache-Control': cacheControl,
    // A cache between us and two callers must not give one key's answer to the other: a server key reads more.
    Vary: `Accept-Encoding, Authorization${byOrigin ? ', Origin' : ''}`,
    ...corsHeaders(allowOrigin),
  })
}

/** Makes the policies of a process. `rateLimitPolicy` is the header's value. */
export function createHeaderPolicies(rateLimitPolicy: string | undefined): HeaderPolicies {
  const shared = (cacheControl: string) => {
    const made = new Map<string | undefined, HeaderPolicy>()
    return (allowOrigin: string | undefined) => {
      let policy = made.get(allowOrigin)
      if (policy === undefined) {
        policy = { rateLimitPolicy, lines: sharedLines(cacheControl, allowOrigin) }
        made.set(allowOrigin, policy)
      }
      return policy
    }
  }
  return {
    latest: shared('public, no-cache, stale-if-error=86400'),
    version: shared('public, max-age=31536000, immutable'),
    private: { rateLimitPolicy, lines: privateLines },
  }
}
