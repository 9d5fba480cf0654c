import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Describes a request to the pretended product. */
export interface DoubleRequest {
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Describes an answer: JSON, and the headers beside it. */
export interface DoubleAnswer {
  readonly json: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Describes what goes wrong with one request. */
export type Fault =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** `silent`: never answers. `malformed`: half of its JSON. `cut`: ends the connection inside the answer. */
  | 'silent'
  | 'malformed'
  | 'cut'

/** A pretended product on loopback. */
export interface ProductDouble {
  readonly url: string
  readonly seen: readonly DoubleRequest[]
  /** Lists what goes wrong with the next requests, one each. `undefined`: nothing. */
  readonly faults: (Fault | undefined)[]
  close(): Promise<void>
}

/** Starts a product that answers by a function, and refuses what has no token. */
export async function startProduct(
  answer: (request: DoubleRequest) => DoubleAnswer | undefined,
  hasToken: (request: DoubleRequest) => boolean,
): Promise<ProductDouble> {
  const seen: DoubleRequest[] = []
  const faults: (Fault | undefined)[] = []
  const server = createServer((request, response) => {
    void respond(request, response)
  })
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://product')
    const asked = { url, headers: request.headers, body: await text(request) }
    seen.push(asked)
    const fault = faults.shift()
    if (fault === 'silent') return
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body ?? '{}')
      return
    }
    if (!hasToken(asked)) {
      response.writeHead(401).end('{"message":"canary"}')
      return
    }
    const answered = answer(asked)
    if (answered === undefined) {
      response.writeHead(404).end('{}')
      return
    }
    const json = JSON.stringify(answered.json)
    const half = json.slice(0, Math.ceil(json.length / 2))
    const headers = { 'content-type': 'application/json', ...answered.headers }
    if (fault === 'cut') {
      response.writeHead(200, { ...headers, 'content-length': json.length + 100 })
      response.write(half, () => response.destroy())
      return
    }
    response.writeHead(200, headers).end(fault === 'malformed' ? half : json)
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
