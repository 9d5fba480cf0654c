import type { Coding } from './coding.ts'

const listedTag = /(?:W\/)?"([^"]*)"/g

/**
 * The `ETag` of a representation. Each content coding has its own, because the bytes differ (RFC 9110 §8.8.3.3).
 * Example: `"k3x"`, `"k3x-gzip"`.
 */
export function renderEtag(etag: string, coding: Coding): string {
  return coding === 'identity' ? `"${etag}"` : `"${etag}-${coding}"`
}

/**
 * Whether `If-None-Match` names the content `etag` in any coding: alone, in a list, weak, or as `*` (RFC 9110 §13.1.2).
 * A client that changed its `Accept-Encoding` has the content all the same.
 */
export function namesEtag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === '*' || listsEtag(ifNoneMatch, etag)
}

/** Whether `If-None-Match` names the content `etag` by its tag. */
export function listsEtag(ifNoneMatch: string, etag: string): boolean {
  for (const [, tag = ''] of ifNoneMatch.matchAll(listedTag)) {
    if (tag.startsWith(etag) && /^(?:-gzip|-br)?$/.test(tag.slice(etag.length))) return true
  }
  return false
}
