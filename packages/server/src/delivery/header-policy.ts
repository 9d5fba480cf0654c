import { toHeaderLines, type HeaderLines } from './header-lines.ts'

/** Everything the headers of an answer say that does not depend on its content. Compared by identity. */
export interface HeaderPolicy {
  /** `RateLimit-Policy`; `undefined` when nothing is limited. */
  readonly rateLimitPolicy: string | undefined
  /** What a 304 has to say (RFC 9110 §15.4.5), and what lets a page see it. A cache keeps the rest from before. */
  readonly validation: HeaderLines
  /** What is sent with the content alone. */
  readonly content: HeaderLines
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

const exposed = { 'Access-Control-Expose-Headers': 'ETag, Retry-After, X-Request-Id' }

/**
 * The CORS headers of an answer to a browser key: any origin or the one named, never with credentials.
 * `undefined`: none, so that no page of another origin can read the answer.
 */
export function corsHeaders(allowOrigin: string | undefined): Record<string, string> {
  return allowOrigin === undefined ? {} : { 'Access-Control-Allow-Origin': allowOrigin, ...exposed }
}

function sharedPolicy(
  rateLimitPolicy: string | undefined,
  cacheControl: string,
  allowOrigin: string | undefined,
): HeaderPolicy {
  // A cache between us and two callers must not give one key's answer to the other: a server key reads more.
  const validation = { 'Cache-Control': cacheControl, Vary: 'Accept-Encoding, Authorization' }
  if (allowOrigin === undefined) {
    return { rateLimitPolicy, validation: toHeaderLines(validation), content: [] }
  }
  return {
    rateLimitPolicy,
    validation: toHeaderLines({
      ...validation,
      ...(allowOrigin === '*' ? {} : { Vary: `${validation.Vary}, Origin` }),
      'Access-Control-Allow-Origin': allowOrigin,
    }),
    content: toHeaderLines({ ...exposed, 'Timing-Allow-Origin': allowOrigin }),
  }
}

/** Makes the policies of a process. `rateLimitPolicy` is the header's value. */
export function createHeaderPolicies(rateLimitPolicy: string | undefined): HeaderPolicies {
  const shared = (cacheControl: string) => {
    const made = new Map<string | undefined, HeaderPolicy>()
    return (allowOrigin: string | undefined) => {
      let policy = made.get(allowOrigin)
      if (policy === undefined) {
        policy = sharedPolicy(rateLimitPolicy, cacheControl, allowOrigin)
        made.set(allowOrigin, policy)
      }
      return policy
    }
  }
  return {
    latest: shared('public, no-cache, stale-if-error=86400'),
    version: shared('public, max-age=31536000, immutable'),
    private: {
      rateLimitPolicy,
      validation: toHeaderLines({ 'Cache-Control': 'private, no-store', Vary: 'Authorization' }),
      content: [],
    },
  }
}
