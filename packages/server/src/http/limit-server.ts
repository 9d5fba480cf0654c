import type { Server, ServerOptions } from 'node:http'
import { limits } from '@signalbox/contract'
import { createClientErrorListener, type RejectionDeps } from './refuse-connection.ts'

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
  /** Limits the time in which a client takes no byte of its answer. */
  readonly unreadMs: number
  /** Limits the time for which a connection that is refused stays open. */
  readonly leaveMs: number
  readonly checkEveryMs: number
}

export interface ServerLimits extends RejectionDeps {
  /** Shortens the timeouts in tests. */
  readonly timeouts?: Partial<ServerTimeouts> | undefined
}

const defaultTimeouts: ServerTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  unreadMs: 60_000,
  leaveMs: 1_000,
  checkEveryMs: 1_000,
}

/** Returns the options of a server of Node with limits on size and time. */
export function toServerOptions(timeouts: Partial<ServerTimeouts> | undefined): ServerOptions {
  const { headersMs, requestMs, keepAliveMs, checkEveryMs } = { ...defaultTimeouts, ...timeouts }
  return {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkEveryMs,
    requireHostHeader: false,
  }
}

/** Answers what Node itself refuses with a problem, and lets go of every connection when its time is over. */
export function limitServer(server: Server, { timeouts, ...rejection }: ServerLimits): void {
  const { leaveMs, unreadMs } = { ...defaultTimeouts, ...timeouts }
  server.setTimeout(unreadMs)
  // Node silently drops headers beyond its default of 2000; their size is limited anyway.
  server.maxHeadersCount = 0
  // Node would answer an unknown expectation itself, and not with a problem. No server has to meet one (RFC 9110
  // §10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', createClientErrorListener(rejection, leaveMs))
}
