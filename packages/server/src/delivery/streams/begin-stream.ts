import type { ServerResponse } from 'node:http'
import type { Exchange } from '../http/answer.ts'

/** Returns what begins a stream on a response of node:http: it sends the headers and a text, and returns the response. */
export function beginStream(
  { request, response, onStream }: Pick<Exchange, 'request' | 'response' | 'onStream'>,
  headers: Readonly<Record<string, string>>,
): (text: string) => ServerResponse {
  return (text) => {
    // Chunked encoding would frame each event for each reader; without it all readers share the same bytes.
    response.removeHeader('Transfer-Encoding')
    response.writeHead(200, headers)
    response.write(text)
    onStream?.(request.socket)
    return response
  }
}
