import type { ServerResponse } from 'node:http'
import type { Exchange } from '../exchange.ts'
import { apiHeaders, transportHeaders } from './security-headers.ts'

/**
 * Sends the head of an answer and hands over the rest, which is written piece by piece. `framed`: whoever reads can tell the
 * end from a connection that broke.
 */
export type BeginStream = (
  headers: Readonly<Record<string, string>>,
  options: { readonly framed: boolean },
) => ServerResponse

/** How an endpoint is served whose answer has no known end. What it throws before it begins is answered as a problem. */
export type StreamHandler<Request> = (request: Request, begin: BeginStream) => Promise<void> | void

/** Returns what begins the answer of `exchange`: it writes the head, and hands over the connection. */
export function beginStream(
  { publicUrl }: { readonly publicUrl: () => string },
  exchange: Exchange,
): BeginStream {
  const { connection } = exchange
  return (headers, { framed }) => {
    if (connection === undefined) throw new Error('There is no connection to stream to')
    // Without chunks each piece is written as it is, and the connection ends with the answer.
    if (!framed) connection.removeHeader('Transfer-Encoding')
    connection.writeHead(200, {
      ...apiHeaders,
      ...transportHeaders(publicUrl()),
      ...headers,
      'X-Request-Id': exchange.requestId,
    })
    return connection
  }
}
