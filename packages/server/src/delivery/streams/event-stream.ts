import type { ConfigEvent } from '@signalbox/contract'
import { takeRandomBytes } from '../../crypto/random.ts'
import { renderEtag } from '../http/etag.ts'
import { corsHeaders } from '../http/header-policy.ts'
import type { Published } from '../cache/published.ts'

/** Renders the event of a version, the same bytes for every reader. `data.etag` is the `ETag` of the snapshot. */
export function renderEvent({ version, etag }: Pick<Published, 'version' | 'etag'>): Buffer {
  const data: ConfigEvent = { version, etag: renderEtag(etag, 'identity') }
  return Buffer.from(`event: config\nid: ${version}\ndata: ${JSON.stringify(data)}\n\n`)
}

/**
 * Renders the event that makes OFREP clients evaluate again, as OFREP 0.3 defines it. `id` is the version of the snapshot for
 * browsers, which changes with rules too.
 */
export function renderRefetch({ version, etag }: Pick<Published, 'version' | 'etag'>): Buffer {
  const data = JSON.stringify({ type: 'refetchEvaluation', etag: renderEtag(etag, 'identity') })
  return Buffer.from(`event: message\nid: ${version}\ndata: ${data}\n\n`)
}

/** Renders the event that lets a relay ask for the mark. It says nothing else, so that all relays receive the same bytes. */
export function renderMarkEvent(): Buffer {
  return Buffer.from('event: mark\ndata: {}\n\n')
}

/**
 * Maps why a stream may end to the longest pause before its client is back. A connection that breaks is usually one,
 * and its client misses changes meanwhile; a node that says goodbye sends all of its clients away at once.
 */
const longestPauseMs = { broken: 5_000, goodbye: 30_000 } as const

/** Renders the field `retry:` with a pause by chance from 1 s on, so that clients do not all come back at once. */
export function renderRetry(ending: keyof typeof longestPauseMs): string {
  const [high = 0, low = 0] = takeRandomBytes(2)
  const spreadMs = longestPauseMs[ending] - 1_000
  return `retry: ${1_000 + Math.floor(((high * 256 + low) * spreadMs) / 65_536)}\n\n`
}

/**
 * Returns whether a reader needs the event of `version`: it knows an older one, or has named none. `known` is its
 * `Last-Event-ID`.
 */
export function isBehind(known: string | undefined, version: number): boolean {
  if (known === undefined || !/^\d{1,10}$/.test(known)) return true
  return Number(known) < version
}

/**
 * Returns the headers of a stream. Its bytes end with the connection, so that no chunk has to be framed for each
 * reader.
 */
export function streamHeaders(
  requestId: string,
  allowOrigin: string | undefined,
): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Content-Encoding': 'identity',
    'Cache-Control': 'no-store, no-transform',
    Connection: 'close',
    // nginx would buffer events until its buffer is full.
    'X-Accel-Buffering': 'no',
    'X-Content-Type-Options': 'nosniff',
    ...corsHeaders(allowOrigin),
  }
}
