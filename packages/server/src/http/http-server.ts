import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCloseServer } from './close-server.ts'
import { limitConnections, type ConnectionLimits } from './limit-connections.ts'
import { limitServer, toServerOptions, type ServerLimits } from './limit-server.ts'
import type { NodeListener } from './node-listener.ts'

/** Lists what the API's server needs. */
export interface HttpServerDeps extends ServerLimits {
  readonly listener: NodeListener
  /** Undefined: any number of connections. */
  readonly connections?: ConnectionLimits | undefined
}

/** Describes the API's server. */
export interface HttpServer {
  /** Listens, and returns the address, such as `http://127.0.0.1:4400`. Port 0 takes any free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>
  /** Says with each answer from now on that its connection ends, and serves on. */
  drain(): void
  /**
   * Closes idle connections, lets accepted requests finish, refuses new connections, and cuts the rest after
   * `timeoutMs`. The owners of streams must end them first.
   */
  close(timeoutMs: number): Promise<void>
}

/** Creates a server with limits on size and time. Requests that Node itself refuses are answered with a problem too. */
export function createHttpServer({
  listener,
  metrics,
  now,
  timeouts,
  connections,
}: HttpServerDeps): HttpServer {
  const open = new Set<ServerResponse>()
  let draining = false
  const server = createServer(toServerOptions(timeouts), (request, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
    if (draining) response.shouldKeepAlive = false
    listener(request, response)
  })
  limitServer(server, { metrics, now, timeouts })
  if (connections !== undefined) limitConnections(server, connections, metrics)
  const closeServer = createCloseServer(server)
  const drain = () => {
    draining = true
    for (const response of open) response.shouldKeepAlive = false
  }
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve(toAddress(server.address()))
        })
      }),
    drain,
    close(timeoutMs) {
      drain()
      return closeServer(timeoutMs)
    },
  }
}

function toAddress(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return String(address)
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
