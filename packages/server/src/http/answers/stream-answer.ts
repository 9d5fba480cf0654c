import type { ServerResponse } from 'node:http'
import type { Exchange } from '../exchange.ts'
import { apiHeaders, transportHeaders } from './security-headers.ts'

/**
 * Sends the headers of an answer and returns the connection, which the caller writes to. `framed`: the reader can
 * distinguish the end from a broken connection.
 */
export type BeginStream = (
  headers: Readonly<Record<string, string>>,
  options: { readonly framed: boolean },
) => ServerResponse

/** Serves an endpoint whose answer has no known end. An error before it begins is answered as a problem. */
export type StreamHandler<Request> = (request: Request, begin: BeginStream) => Promise<void> | void

/** Returns the function that begins the answer of `exchange`. */
export function beginStream(
  { publicUrl }: { readonly publicUrl: () => string },
  exchange: Exchange,
): BeginStream {
  const { connection } = exchange
  return (headers, { framed }) => {
    if (connection === undefined) throw new Error('There is no connection to stream to')
    // Without chunked encoding each piece is sent as it is, and the connection ends with the answer.
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
