import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import { createCloseServer } from '../../http/close-server.ts'
import { createClientErrorListener } from '../../http/http-server.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { answerProblem } from './answer.ts'
import type { Delivery } from '../delivery.ts'
import type { AcceptStream } from '../fast/accept-stream.ts'
import { answerHealth } from './health.ts'
import type { DeliveryHandler } from './handler.ts'

/** Describes what to serve, and on which address. */
export interface DeliveryListenerDeps {
  readonly delivery: Pick<Delivery, 'handlerFor' | 'acceptStream' | 'status' | 'endStreams'>
  readonly host: string
  /** Names the port; 0 takes any free one. */
  readonly port: number
  readonly now: () => Date
  readonly metrics: Pick<Metrics, 'recordRefusedConnection'>
  /** Limits how long accepted requests may take to finish when the process stops. Default 8,000. */
  readonly drainMs?: number
  /** Leaves streams to node:http as well, instead of holding them on bare sockets (`fast/`). Default `false`. */
  readonly plainStreams?: boolean
}

/** Describes the delivery's own address, which the API can neither slow down nor stop. */
export interface DeliveryListener {
  readonly port: number
  /**
   * Ends streams with a `retry:` field, closes idle connections, lets accepted requests finish, and refuses new
   * connections.
   */
  close(): Promise<void>
}

/** Limits how long a slow client can hold a connection. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
}

/** Opens the delivery's own address. Rejects when it cannot be listened on. */
export async function openDeliveryListener(deps: DeliveryListenerDeps): Promise<DeliveryListener> {
  const { delivery, host, port, drainMs = 8_000, plainStreams = false } = deps
  const handle = createListenerHandler(deps, delivery.handlerFor({ crossOrigin: true }))
  let draining = false
  const server = createServer(
    { ...timeouts, maxHeaderSize: limits.headerBytes, requireHostHeader: false },
    (request, response) => {
      if (draining) response.shouldKeepAlive = false
      handle(request, response)
    },
  )
  // Node silently drops headers beyond its default of 2000; their size is limited anyway.
  server.maxHeadersCount = 0
  if (!plainStreams) receiveFirst(server, delivery.acceptStream())
  const closeServer = createCloseServer(server)
  // Node would answer an unknown expectation itself, and not with a problem. No server has to meet one (RFC 9110
  // §10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', createClientErrorListener(deps))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: 4_096 }, resolve)
  })
  return {
    port: portOf(server.address()),
    close() {
      draining = true
      delivery.endStreams()
      return closeServer(drainMs)
    },
  }
}

/** Passes each connection to `accept` before node:http sees it. */
function receiveFirst(server: Server, accept: AcceptStream): void {
  const [toHttp] = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket) => accept(socket, () => toHttp?.call(server, socket)))
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('The listener has no port')
}

function createListenerHandler(
  { delivery, now }: DeliveryListenerDeps,
  handle: DeliveryHandler,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    if (handle(request, response)) return
    const requestId = newId('req', now())
    const exchange = {
      request,
      response,
      requestId,
      route: 'nothing' as const,
      allowOrigin: '*',
    }
    if (!answerHealth(exchange, delivery.status(), now())) answerProblem(exchange, notFound())
  }
}
