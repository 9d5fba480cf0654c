import type { IncomingMessage } from 'node:http'
import type { Exchange } from '../http/answer.ts'
import { renderRetry, streamHeaders } from './event-stream.ts'

/** Returns whether the caller is a browser's EventSource: it accepts nothing but events, and its key is in the URL. */
export function isEventSource({ headers, url }: IncomingMessage): boolean {
  return headers.accept === 'text/event-stream' && url?.includes('apiKey=') === true
}

/**
 * Ends an EventSource with an empty stream. After an HTTP error it would give up for good; after the end of a stream it
 * reconnects by itself, in 1 to 30 s.
 */
export function answerLater({ request, response, requestId, allowOrigin }: Exchange): void {
  response.removeHeader('Transfer-Encoding')
  response.writeHead(200, streamHeaders(requestId, allowOrigin))
  response.end(request.method === 'HEAD' ? undefined : renderRetry('goodbye'))
}
