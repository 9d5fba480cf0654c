import { createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { limitConnections, type ConnectionLimits } from '../../http/limit-connections.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { AnswerSync } from './answer-sync.ts'

/** Describes the address of the sync service. */
export interface SyncListenerDeps {
  readonly answer: AnswerSync
  readonly host: string
  /** Names the port; 0 takes any free one. */
  readonly port: number
  /** Lets other processes of the node listen on the same port. Default `false`: a second one is refused. */
  readonly sharesPort?: boolean | undefined
  /** Undefined: any number of connections. */
  readonly connections?: ConnectionLimits | undefined
  readonly metrics: Pick<Metrics, 'recordRefusedConnection'>
  /** Limits how long the end of a call may take when the process stops. Default 2,000. */
  readonly drainMs?: number
}

/** Describes the open address of the sync service. */
export interface SyncListener {
  readonly port: number
  /**
   * Tells the open connections that they end: their next call comes on another one, which is served. Streams have to be ended
   * meanwhile.
   */
  drain(): void
  /** Accepts no more connections, and closes the open ones. Streams have to be ended before. */
  close(): Promise<void>
}

/** A provider has one stream and asks rarely. */
const callsPerConnection = 16
/** A provider's stream says nothing while no flag changes. */
const silenceMs = 60_000

/**
 * Opens the address of flagd's sync service: HTTP/2 without TLS, for a proxy or a network that encrypts. Rejects when it
 * cannot be listened on.
 */
export async function openSyncListener(deps: SyncListenerDeps): Promise<SyncListener> {
  const { answer, host, port, sharesPort = false, connections, metrics, drainMs = 2_000 } = deps
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer({
    settings: { maxConcurrentStreams: callsPerConnection, maxHeaderListSize: 16 * 1024 },
  })
  if (connections !== undefined) limitConnections(server, connections, metrics)
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => undefined)
    session.on('close', () => sessions.delete(session))
    watchSilence(session)
  })
  server.on('stream', (stream, headers) => answer(stream, headers))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, reusePort: sharesPort }, resolve)
  })
  return {
    port: portOf(server.address()),
    drain() {
      // Sends GOAWAY, and waits for the calls that are open.
      for (const session of sessions) session.close()
    },
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const session of sessions) session.close()
      const cut = setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, drainMs).unref()
      return closed.finally(() => clearTimeout(cut))
    },
  }
}

/** Closes a connection that is silent and has no call, or whose other side answers no ping. */
function watchSilence(session: ServerHttp2Session): void {
  let calls = 0
  let isWaiting = false
  session.on('stream', (stream) => {
    calls += 1
    stream.on('close', () => (calls -= 1))
  })
  session.setTimeout(silenceMs, () => {
    if (calls === 0 || isWaiting) return session.destroy()
    isWaiting = true
    session.ping(() => (isWaiting = false))
    return undefined
  })
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('The listener has no port')
}
