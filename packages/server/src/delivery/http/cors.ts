import { Problem } from '@signalbox/contract'
import type { Exchange, RequestMetadata } from './answer.ts'
import type { Reader } from '../cache/reader.ts'

/** Lists the headers that the delivery reads. */
const readHeaders = 'If-None-Match, Authorization, X-API-Key, Content-Type, Last-Event-ID'
const headerNames = /^[\w!#$%&'*+.^`|~, -]+$/

/**
 * Answers a preflight, for any origin. The key decides who may read, and a preflight carries no key. A page may send
 * whatever headers it likes: the tracing of browsers adds some to every request, and those that nobody reads do no harm.
 */
export function answerPreflight({ request, response, requestId }: Exchange): void {
  const requestedNames = request.headers['access-control-request-headers'] ?? ''
  response.writeHead(204, {
    'X-Request-Id': requestId,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD, POST',
    'Access-Control-Allow-Headers': headerNames.test(requestedNames)
      ? `${readHeaders}, ${requestedNames}`
      : readHeaders,
    Vary: 'Access-Control-Request-Headers',
    'Access-Control-Max-Age': '86400',
    'Cache-Control': 'public, max-age=86400',
  })
  response.end()
}

/**
 * Returns the origin whose pages may read the answer: any or the key's own for a browser key, none for other
 * credentials, which do not belong in a page.
 *
 * @throws {Problem} `origin_forbidden`
 */
export function originFor(
  { request }: { readonly request: RequestMetadata },
  reader: Reader,
  crossOrigin: boolean,
): string | undefined {
  if (reader.type === 'person' || reader.kind !== 'b2m') return undefined
  const { allowedOrigins } = reader
  if (allowedOrigins === null) return crossOrigin ? '*' : undefined
  const { origin } = request.headers
  if (origin !== undefined && !allowedOrigins.has(origin)) {
    throw new Problem(
      'origin_forbidden',
      'Pages of this origin may not use the API key. Add the origin to the key, or use another key.',
    )
  }
  // A request without an origin needs no header, but caches must learn that the answer depends on the origin.
  return crossOrigin ? (origin ?? [...allowedOrigins][0]) : undefined
}
