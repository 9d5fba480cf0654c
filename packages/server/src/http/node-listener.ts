import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Arrival } from './exchange.ts'
import type { RawAnswer } from './input/endpoint-request.ts'
import type { App } from './router.ts'

/** Answers requests of Node's own server. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Limits how long the rest of an unread body is discarded. Without that its sender sees a reset instead of the answer.
 */
const discardMs = 500

/** Converts an application into a listener of Node. */
export function toNodeListener(app: App): NodeListener {
  return (request, response) => {
    response.once('finish', () => discardBody(request))
    void app.answer(toArrival(request, response)).then((answer) => {
      if (answer !== undefined) write(response, answer)
      return undefined
    })
  }
}

function toArrival(request: IncomingMessage, response: ServerResponse): Arrival {
  const { method = '', url = '', headers, httpVersion } = request
  // HTTP/1.0 has no such header (RFC 9112 §3.2), and load balancers ask for the readiness with it.
  if (httpVersion === '1.0') headers.host ??= 'localhost'
  return {
    method,
    // A proxy sends the absolute form (RFC 9112 §3.2.2).
    target: url.replace(/^https?:\/\/[^/?#]*/i, ''),
    remoteAddress: request.socket.remoteAddress,
    connection: response,
    body: request,
    header(name) {
      const value = headers[name]
      return typeof value === 'object' ? value.join(', ') : value
    },
  }
}

function write(response: ServerResponse, { status, headers, body }: RawAnswer): void {
  if (response.headersSent) {
    // A stream failed after it began: its reader has to see that it is cut.
    response.destroy()
    return
  }
  response.writeHead(status, headers)
  response.end(body)
}

function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  const timer = setTimeout(() => request.socket.destroySoon(), discardMs).unref()
  request.once('close', () => clearTimeout(timer)).resume()
}
