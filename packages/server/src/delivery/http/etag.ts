import type { Coding } from './coding.ts'

const listedTag = /(?:W\/)?"([^"]*)"/g

/**
 * Renders the `ETag` of a representation: `"k3x"`, `"k3x-gzip"`. Each content coding has its own, because the bytes
 * differ (RFC 9110 §8.8.3.3).
 */
export function renderEtag(etag: string, coding: Coding): string {
  return coding === 'identity' ? `"${etag}"` : `"${etag}-${coding}"`
}

/**
 * Returns whether `If-None-Match` names the content `etag` in any coding: alone, in a list, weak, or as `*` (RFC 9110
 * §13.1.2). A client that changed its `Accept-Encoding` still has the content.
 */
export function namesEtag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === '*' || listsEtag(ifNoneMatch, etag)
}

/** Returns whether `If-None-Match` names the content `etag` by its tag; `*` does not. */
export function listsEtag(ifNoneMatch: string, etag: string): boolean {
  for (const [, tag = ''] of ifNoneMatch.matchAll(listedTag)) {
    if (tag.startsWith(etag) && /^(?:-gzip|-br)?$/.test(tag.slice(etag.length))) return true
  }
  return false
}
