import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Describes a request to a pretended provider. */
export interface PretendRequest {
  readonly method: string
  /** Example: `['channels', 'general', 'messages']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly authorization: string
  readonly body: string
}

/** Describes what such a request is answered with. */
export interface PretendAnswer {
  readonly status: number
  readonly json?: unknown
  readonly location?: string
}

/** Answers as nobody and nothing there. */
export const notFound: PretendAnswer = { status: 404 }

/** Holds a pretended provider that listens on an address of its own. */
export interface PretendServer {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts a pretended provider, which answers in JSON. */
export async function startPretendServer(
  answer: (request: PretendRequest) => PretendAnswer,
): Promise<PretendServer> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://pretend')
    const [, ...path] = pathname.split('/').map(decodeURIComponent)
    const { method = 'GET', headers } = request
    const {
      status,
      json = {},
      location,
    } = answer({
      method,
      path,
      query: searchParams,
      authorization: headers.authorization ?? '',
      body: await text(request),
    })
    const moved = location === undefined ? {} : { location }
    response.writeHead(status, { 'content-type': 'application/json', ...moved })
    response.end(JSON.stringify(json))
  }
  const server = createServer((request, response) => {
    void respond(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has an address with a port
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
