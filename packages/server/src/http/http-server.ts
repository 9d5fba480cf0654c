import { createServer, STATUS_CODES, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { limits, Problem } from '@signalbox/contract'
import { newId } from '../crypto/ids.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createCloseServer } from './close-server.ts'
import type { NodeListener } from './node-listener.ts'
import { renderProblem } from './answers/problem-response.ts'

/** Lists what the API's server needs. */
export interface HttpServerDeps {
  readonly listener: NodeListener
  readonly metrics: Pick<Metrics, 'recordRefusedConnection'>
  readonly now: () => Date
  /** Shortens the timeouts in tests. */
  readonly timeouts?: Partial<ServerTimeouts>
}

/** Limits how long clients may take. */
export interface ServerTimeouts {
  /** Limits the whole header. */
  readonly headersMs: number
  /** Limits the whole request. */
  readonly requestMs: number
  /**
   * Limits the pause between two requests on one connection. Longer than a load balancer's 60 s, so that it never meets
   * a closing connection.
   */
  readonly keepAliveMs: number
  readonly checkEveryMs: number
}

/** Describes the API's server. */
export interface HttpServer {
  /** Listens, and returns the address, such as `http://127.0.0.1:4400`. Port 0 takes any free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>
  /**
   * Closes idle connections, lets accepted requests finish, refuses new connections, and cuts the rest after
   * `timeoutMs`. The owners of streams must end them first.
   */
  close(timeoutMs: number): Promise<void>
}

const defaultTimeouts: ServerTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  checkEveryMs: 5_000,
}

/** Creates a server with limits on size and time. Requests that Node itself refuses are answered with a problem too. */
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
  // Node silently drops headers beyond its default of 2000; their size is limited anyway.
  server.maxHeadersCount = 0
  // Node would answer an unknown expectation itself, and not with a problem. No server has to meet one (RFC 9110
  // §10.1.1).
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

/**
 * Creates the listener of a server's `clientError`. It answers bytes that never became a request, if the client is
 * still connected.
 */
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

/** Returns the problem of a connection that never became a request; `undefined` when the client is gone. */
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

/** Returns whether the first line of the packet alone exceeds the limit. */
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

/** Returns whether an answer has begun. Node stores it on the socket; a second answer would be read as part of it. */
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
