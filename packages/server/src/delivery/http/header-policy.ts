import { renderHeaders } from '../fast/rendered-headers.ts'
import type { Coding } from './coding.ts'

/** Holds the rendered headers that every answer of one kind has; an answer adds its own. */
export interface HeaderPolicy {
  readonly full: Readonly<Record<Coding, string>>
  /** Holds the headers of a 304 (RFC 9110 §15.4.5), and those that let a page read it. A cache keeps the others. */
  readonly notModified: string
}

/** Holds the header policies of one process. */
export interface HeaderPolicies {
  /**
   * Lets any cache store the answer and revalidate it before each use; for a day also use it when we are unreachable.
   */
  latest(allowOrigin: string | undefined): HeaderPolicy
  /** Lets any cache store the answer for good: a version never changes. */
  version(allowOrigin: string | undefined): HeaderPolicy
  /** Keeps an evaluation private to its caller. `no-store` is for caches; the `ETag` lets the caller revalidate. */
  evaluation(allowOrigin: string | undefined): HeaderPolicy
  /** Keeps an answer private to its caller, stored nowhere. */
  readonly private: HeaderPolicy
}

type Headers = Readonly<Record<string, string>>

const exposed = {
  'Access-Control-Expose-Headers':
    'ETag, Retry-After, X-Request-Id, Signalbox-Signature, Signalbox-Left-Out',
}

/**
 * Returns the CORS headers of an answer to a browser key: any origin or the named one, never with credentials. For
 * `undefined` there are none, so that no page of another origin can read the answer.
 */
export function corsHeaders(allowOrigin: string | undefined): Record<string, string> {
  return allowOrigin === undefined ? {} : { 'Access-Control-Allow-Origin': allowOrigin, ...exposed }
}

/** Returns the caching headers of an answer that is for one caller, and that a page may read. */
function ownHeaders(allowOrigin: string | undefined): Headers {
  const own = { 'Cache-Control': 'private, no-store', Vary: 'Authorization, X-API-Key' }
  if (allowOrigin === undefined) return own
  const vary = allowOrigin === '*' ? own.Vary : `${own.Vary}, Origin`
  return { ...own, Vary: vary, ...corsHeaders(allowOrigin) }
}

/**
 * Returns the caching headers that a 304 repeats. They vary by `Authorization`, because a server key reads more than a
 * browser key.
 */
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
  const full = (coding: Coding) =>
    renderHeaders({
      ...limited,
      'Content-Type': 'application/json; charset=utf-8',
      ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
      'X-Content-Type-Options': 'nosniff',
      ...validation,
      ...content,
    })
  return {
    full: { identity: full('identity'), gzip: full('gzip'), br: full('br') },
    notModified: renderHeaders(validation),
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
  const uncached = { 'Cache-Control': 'private, no-store', Vary: 'Authorization' }
  return {
    latest: shared('public, no-cache, stale-if-error=86400'),
    version: shared('public, max-age=31536000, immutable'),
    evaluation: keepEach((allowOrigin) =>
      preparePolicy(rateLimitPolicy, ownHeaders(allowOrigin), {}),
    ),
    private: preparePolicy(rateLimitPolicy, uncached, {}),
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
