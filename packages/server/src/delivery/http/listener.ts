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

export interface DeliveryListenerDeps {
  readonly delivery: Pick<Delivery, 'handlerFor' | 'acceptStream' | 'status' | 'endStreams'>
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly now: () => Date
  readonly metrics: Pick<Metrics, 'recordRefusedConnection'>
  /** How long accepted requests may take to finish once we are asked to stop. Default 8,000. */
  readonly drainMs?: number
  /** Leaves streams to node:http as well, instead of holding them on bare sockets (`fast/`). Default `false`. */
  readonly plainStreams?: boolean
}

/** The delivery's own address: nothing of the API can slow it down or stop it. */
export interface DeliveryListener {
  readonly port: number
  /** Ends streams with a hint when to come back, lets clients go and accepted requests finish, takes no more connections. */
  close(): Promise<void>
}

/** A client that is slower than this holds a connection it does not use. */
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
  // Beyond the default of 2000 Node drops headers without a word; their size is limited anyway.
  server.maxHeadersCount = 0
  if (!plainStreams) receiveFirst(server, delivery.acceptStream())
  const closeServer = createCloseServer(server)
  // Node would answer an unknown expectation itself, and not with a problem. Nobody has to meet one (RFC 9110 §10.1.1).
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

/** Lets `accept` look at each connection before node:http does. */
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
