import type { IncomingMessage } from 'node:http'
import type { Exchange } from '../http/answer.ts'
import { renderRetry, streamHeaders } from './event-stream.ts'

/** Whether a browser's EventSource asks: it takes nothing but events, and its key stands in the URL. */
export function isEventSource({ headers, url }: IncomingMessage): boolean {
  return headers.accept === 'text/event-stream' && url?.includes('apiKey=') === true
}

/**
 * Sends an EventSource away until later with an empty stream. After an HTTP error it would give up for good; after the
 * end of a stream it comes back by itself, between 1 and 30 s from now.
 */
export function answerLater({ request, response, requestId, allowOrigin }: Exchange): void {
  response.removeHeader('Transfer-Encoding')
  response.writeHead(200, streamHeaders(requestId, allowOrigin))
  response.end(request.method === 'HEAD' ? undefined : renderRetry())
}
