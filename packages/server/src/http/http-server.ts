import { createServer, STATUS_CODES, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { limits, Problem } from '@signalbox/contract'
import { newId } from '../crypto/ids.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createCloseServer } from './close-server.ts'
import type { NodeListener } from './node-listener.ts'
import { renderProblem } from './answers/problem-response.ts'

export interface HttpServerDeps {
  readonly listener: NodeListener
  readonly metrics: Pick<Metrics, 'recordRefusedConnection'>
  readonly now: () => Date
  /** Shorter in tests. */
  readonly timeouts?: Partial<ServerTimeouts>
}

export interface ServerTimeouts {
  /** For the whole header. */
  readonly headersMs: number
  /** For the whole request. */
  readonly requestMs: number
  /** Between two requests on one connection: longer than a load balancer's 60 s, so that it never meets a closing one. */
  readonly keepAliveMs: number
  readonly checkEveryMs: number
}

export interface HttpServer {
  /** Answers the address, such as `http://127.0.0.1:4400`. Port 0 takes any free one. */
  listen(place: { readonly host: string; readonly port: number }): Promise<string>
  /**
   * Lets clients go and accepted requests finish, takes no more connections, and cuts what is left after `timeoutMs`.
   * Streams must be ended by whoever opened them.
   */
  close(timeoutMs: number): Promise<void>
}

const defaultTimeouts: ServerTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  checkEveryMs: 5_000,
}

/** Opens a server with limits on size and time; what Node itself refuses is answered as a problem too. */
export function createHttpServer({ listener, metrics, now, timeouts }: HttpServerDeps): HttpServer {
  const { headersMs, requestMs, keepAliveMs, checkEveryMs } = { ...defaultTimeouts, ...timeouts }
  const open = new Set<ServerResponse>()
  let draining = false
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: checkEveryMs,
      requireHostHeader: false,
    },
    (request, response) => {
      open.add(response)
      response.once('close', () => open.delete(response))
      if (draining) response.shouldKeepAlive = false
      listener(request, response)
    },
  )
  // Beyond the default of 2000 Node drops headers without a word; their size is limited anyway.
  server.maxHeadersCount = 0
  // Node would answer an unknown expectation itself, and not with a problem. Nobody has to meet one (RFC 9110 §10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', createClientErrorListener({ metrics, now }))
  const closeServer = createCloseServer(server)
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve(toAddress(server.address()))
        })
      }),
    close(timeoutMs) {
      draining = true
      for (const response of open) response.shouldKeepAlive = false
      return closeServer(timeoutMs)
    },
  }
}

/** Makes the listener of a server's `clientError`: answers what never became a request, where somebody is left to be told. */
export function createClientErrorListener({
  metrics,
  now,
}: Pick<HttpServerDeps, 'metrics' | 'now'>): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    const requestId = newId('req', now())
    const problem = toConnectionProblem(error)
    metrics.recordRefusedConnection(problem?.code ?? 'reset')
    refuseConnection(socket, problem, requestId)
  }
}

interface ConnectionError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

/** What is wrong with a connection that never became a request; `undefined` when nobody is left to be told. */
function toConnectionProblem({ code = '', rawPacket }: ConnectionError): Problem | undefined {
  switch (code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return undefined
    case 'HPE_HEADER_OVERFLOW':
      return isLongTarget(rawPacket)
        ? new Problem('url_too_long', `The URL may have at most ${limits.urlBytes} bytes.`)
        : new Problem(
            'headers_too_large',
            `The headers may have at most ${limits.headerBytes} bytes.`,
          )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive in time. Send it again.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('body_too_large', 'The chunk extensions are too large.')
    default:
      return new Problem('invalid_header', 'The request is not valid HTTP/1.1.')
  }
}

/** Whether the first line of the packet alone is over the limit. */
function isLongTarget(packet: Buffer | undefined): boolean {
  if (packet === undefined || !/^[A-Z]{3,10} \//.test(packet.toString('latin1', 0, 16)))
    return false
  const end = packet.indexOf('\n')
  return end < 0 || end > limits.urlBytes
}

function refuseConnection(socket: Duplex, problem: Problem | undefined, requestId: string): void {
  if (problem === undefined || !socket.writable || hasBegunAnswer(socket)) {
    socket.destroy()
    return
  }
  const { status, headers, body } = renderProblem(problem, requestId)
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
}

/** Node keeps the answer under way on the socket; a second one in the middle of it would be read as part of it. */
function hasBegunAnswer(socket: Duplex): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage')
  return (
    typeof answer === 'object' && answer !== null && Reflect.get(answer, '_headerSent') === true
  )
}

function toAddress(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return String(address)
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
