import type { Coding } from './coding.ts'

/** Holds the headers that every answer of one kind has; an answer adds its own. */
export interface HeaderPolicy {
  readonly full: Readonly<Record<Coding, Headers>>
  /** Holds the headers of a 304 (RFC 9110 §15.4.5), and those that let a page read it. A cache keeps the others. */
  readonly notModified: Headers
}

/** The policies of one process. */
export interface HeaderPolicies {
  /** Kept by any cache, and asked about before each use; shown for a day when we cannot be asked. */
  latest(allowOrigin: string | undefined): HeaderPolicy
  /** A version never changes. */
  version(allowOrigin: string | undefined): HeaderPolicy
  /** What was decided for one context: for this caller alone, who may ask whether it still holds. */
  evaluation(allowOrigin: string | undefined): HeaderPolicy
  /** For this caller alone, kept nowhere. */
  readonly private: HeaderPolicy
}

type Headers = Readonly<Record<string, string>>

const exposed = { 'Access-Control-Expose-Headers': 'ETag, Retry-After, X-Request-Id' }

/**
 * The CORS headers of an answer to a browser key: any origin or the one named, never with credentials.
 * `undefined`: none, so that no page of another origin can read the answer.
 */
export function corsHeaders(allowOrigin: string | undefined): Record<string, string> {
  return allowOrigin === undefined ? {} : { 'Access-Control-Allow-Origin': allowOrigin, ...exposed }
}

/** The headers of what belongs to one caller and may be read in a page. */
function ownHeaders(allowOrigin: string | undefined): Headers {
  const own = { 'Cache-Control': 'private, no-store', Vary: 'Authorization, X-API-Key' }
  if (allowOrigin === undefined) return own
  const vary = allowOrigin === '*' ? own.Vary : `${own.Vary}, Origin`
  return { ...own, Vary: vary, ...corsHeaders(allowOrigin) }
}

/** What a 304 says as well. A cache must not give one key's answer to another: a server key reads more. */
function sharedHeaders(cacheControl: string, allowOrigin: string | undefined): Headers {
  const shared = { 'Cache-Control': cacheControl, Vary: 'Accept-Encoding, Authorization' }
  if (allowOrigin === undefined) return shared
  const allowed = { ...shared, 'Access-Control-Allow-Origin': allowOrigin }
  return allowOrigin === '*' ? allowed : { ...allowed, Vary: `${shared.Vary}, Origin` }
}

/** Creates the policy of one kind of answer. */
function preparePolicy(
  rateLimitPolicy: string | undefined,
  validation: Headers,
  content: Headers,
): HeaderPolicy {
  const limited = rateLimitPolicy === undefined ? {} : { 'RateLimit-Policy': rateLimitPolicy }
  const full = (coding: Coding): Headers => ({
    ...limited,
    'Content-Type': 'application/json; charset=utf-8',
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
    'X-Content-Type-Options': 'nosniff',
    ...validation,
    ...content,
  })
  return {
    full: { identity: full('identity'), gzip: full('gzip'), br: full('br') },
    notModified: validation,
  }
}

/** Makes the policies of a process. `rateLimitPolicy` is the header's value; `undefined` when nothing is limited. */
export function createHeaderPolicies(rateLimitPolicy: string | undefined): HeaderPolicies {
  const shared = (cacheControl: string) =>
    keepEach((allowOrigin) => {
      const content =
        allowOrigin === undefined ? {} : { ...exposed, 'Timing-Allow-Origin': allowOrigin }
      return preparePolicy(rateLimitPolicy, sharedHeaders(cacheControl, allowOrigin), content)
    })
  const kept = { 'Cache-Control': 'private, no-store', Vary: 'Authorization' }
  return {
    latest: shared('public, no-cache, stale-if-error=86400'),
    version: shared('public, max-age=31536000, immutable'),
    evaluation: keepEach((allowOrigin) =>
      preparePolicy(rateLimitPolicy, ownHeaders(allowOrigin), {}),
    ),
    private: preparePolicy(rateLimitPolicy, kept, {}),
  }
}

/** Makes the policy of each origin once. */
function keepEach(make: (allowOrigin: string | undefined) => HeaderPolicy) {
  const made = new Map<string | undefined, HeaderPolicy>()
  return (allowOrigin: string | undefined) => {
    let policy = made.get(allowOrigin)
    if (policy === undefined) {
      policy = make(allowOrigin)
      made.set(allowOrigin, policy)
    }
    return policy
  }
}
