import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { newId } from '../../crypto/ids.ts'
import { createCloseServer } from '../../http/close-server.ts'
import { limitConnections, type ConnectionLimits } from '../../http/limit-connections.ts'
import { limitServer, toServerOptions, type ServerLimits } from '../../http/limit-server.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { answerProblem } from './answer.ts'
import type { Delivery } from '../delivery.ts'
import type { AcceptStream } from '../fast/accept-stream.ts'
import { answerHealth } from './health.ts'

/** Describes what to serve, and on which address. */
export interface DeliveryListenerDeps extends ServerLimits {
  readonly delivery: Pick<
    Delivery,
    'handlerFor' | 'acceptStream' | 'status' | 'drain' | 'endStreams'
  >
  readonly host: string
  /** Names the port; 0 takes any free one. */
  readonly port: number
  /** Lets other processes of the node listen on the same port. Default `false`: a second one is refused. */
  readonly sharesPort?: boolean | undefined
  /** Undefined: any number of connections. A stream counts in all alone: `streams/` limits it. */
  readonly connections?: ConnectionLimits | undefined
  /** Limits how long accepted requests may take to finish when the process stops. Default 8,000. */
  readonly drainMs?: number
  /** Leaves streams to node:http as well, instead of holding them on bare sockets (`fast/`). Default `false`. */
  readonly plainStreams?: boolean
}

/** Describes the delivery's own address, which the API can neither slow down nor stop. */
export interface DeliveryListener {
  readonly port: number
  /**
   * Says from now on that the process is not ready and that connections end with their answer, and ends streams spread over
   * `overMs`. Everything is served on.
   */
  drain(overMs: number): void
  /**
   * Ends streams with a `retry:` field, closes idle connections, lets accepted requests finish, and refuses new
   * connections.
   */
  close(): Promise<void>
}

/** Opens the delivery's own address. Rejects when it cannot be listened on. */
export async function openDeliveryListener(deps: DeliveryListenerDeps): Promise<DeliveryListener> {
  const { delivery, host, port, drainMs = 8_000, plainStreams = false } = deps
  const { metrics, now, timeouts, connections, sharesPort = false } = deps
  let draining = false
  const onStream = (socket: Socket) => counted?.exempt(socket)
  const handle = delivery.handlerFor({ crossOrigin: true, onStream })
  const server = createServer(toServerOptions(timeouts), (request, response) => {
    if (draining) response.shouldKeepAlive = false
    if (!handle(request, response)) answerOther(deps, { request, response, isDraining: draining })
  })
  limitServer(server, { metrics, now, timeouts })
  if (!plainStreams) receiveFirst(server, delivery.acceptStream(onStream))
  const counted = connections && limitConnections(server, connections, metrics)
  const closeServer = createCloseServer(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: 4_096, reusePort: sharesPort }, resolve)
  })
  return {
    port: portOf(server.address()),
    drain(overMs) {
      draining = true
      delivery.drain(overMs)
    },
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

interface OtherRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly isDraining: boolean
}

/** Answers what is no path of the delivery: the health of the process, or that nothing is there. */
function answerOther(
  { delivery, now }: DeliveryListenerDeps,
  { request, response, isDraining }: OtherRequest,
): void {
  const requestId = newId('req', now())
  const route = 'nothing' as const
  const exchange = { request, response, requestId, now, route, allowOrigin: '*' }
  const health = { status: delivery.status(), now: now(), isDraining }
  if (!answerHealth(exchange, health)) answerProblem(exchange, notFound())
}
