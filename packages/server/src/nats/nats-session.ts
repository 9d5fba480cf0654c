import { setTimeout as delay } from 'node:timers/promises'
import type * as nats from '@nats-io/transport-node'
import type { NatsSettings } from '../settings/nats-settings.ts'
import type { Log } from '../telemetry/log.ts'
import { explainOldServer } from './publication.ts'
import { createRejectionLog } from './rejection-log.ts'

/** Names the client of NATS, which is loaded only where it is used. */
export type NatsClient = typeof nats

/** Configures a connection. */
export interface NatsSessionOptions {
  readonly settings: Pick<NatsSettings, 'servers' | 'seed' | 'ca' | 'isEncrypted'>
  /** Begins the subjects of answers: rights to read them go by it. */
  readonly inboxPrefix: string
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** Receives what happens to the connections of a session. */
export interface NatsSessionEvents {
  /** Called with each new connection, before anything else of it. */
  onOpen(connection: nats.NatsConnection): void
  /** Called whenever a connection can be used from now on, also again. */
  onConnect(): void
}

const connectMs = 2_000
const retryMs = 500

/** Returns what logs a release that is too old, once until a connection finds another one. */
function createVersionLog(log: Pick<Log, 'warn'>, host: string) {
  let noted: string | undefined
  return (version: string | undefined): void => {
    const reason = explainOldServer(version)
    if (reason !== undefined && reason !== noted)
      log.warn('NATS is older than the guide allows', { host, reason })
    noted = reason
  }
}

/** Opens a session. Does not wait for its first connection. */
export function openNatsSession(
  client: NatsClient,
  options: NatsSessionOptions,
  events: NatsSessionEvents,
) {
  const { settings, log } = options
  const host = hostOf(settings)
  const closing = new AbortController()
  let open: nats.NatsConnection | undefined
  let current: nats.NatsConnection | undefined
  let failure: string | undefined = 'it is not connected yet'
  let isReported = false
  const noteVersion = createVersionLog(log, host)
  const rejections = createRejectionLog({ client, log, elapsedMs: () => performance.now() })

  const begin = (connection: nats.NatsConnection) => {
    current = connection
    failure = undefined
    if (isReported) log.info('Connected to NATS again', { host })
    isReported = false
    noteVersion(connection.info?.version)
    events.onConnect()
  }
  const lose = (reason: string) => {
    current = undefined
    failure = reason
    if (!isReported && !closing.signal.aborted) log.warn('NATS cannot be reached', { host, reason })
    isReported = true
  }
  const follow = async (connection: nats.NatsConnection) => {
    events.onOpen(connection)
    begin(connection)
    for await (const status of connection.status()) {
      if (status.type === 'reconnect') begin(connection)
      if (status.type === 'disconnect') lose('the connection was lost')
      if (status.type === 'error') rejections.note(status.error)
    }
    lose('the connection was closed')
  }
  const run = async () => {
    while (!closing.signal.aborted) {
      try {
        open = await client.connect(toOptions(client, options))
        await (closing.signal.aborted ? open.close() : follow(open))
      } catch (error) {
        lose(textOf(error))
      }
      await delay(retryMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    /** Holds the connection; `undefined` while there is none. */
    current: () => current,
    /** Says why there is no connection. */
    failure: () => failure,
    async close(): Promise<void> {
      closing.abort()
      await open?.close()
      await running
    },
  }
}

/** Returns the addresses of the servers as people know them. */
export function hostOf({ servers }: Pick<NatsSettings, 'servers'>): string {
  return servers.map((server) => new URL(server).host).join(',')
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function toOptions(
  { nkeyAuthenticator }: NatsClient,
  { settings, inboxPrefix }: NatsSessionOptions,
): nats.ConnectionOptions {
  const { servers, seed, ca, isEncrypted } = settings
  return {
    servers: servers.map((server) => new URL(server).host),
    name: 'signalbox',
    inboxPrefix,
    timeout: connectMs,
    pingInterval: 1_000,
    maxPingOut: 2,
    reconnectTimeWait: 100,
    reconnectJitter: 100,
    reconnectJitterTLS: 100,
    maxReconnectAttempts: -1,
    // A credential may be given its rights after the node has started.
    ignoreAuthErrorAbort: true,
    ...(isEncrypted
      ? { tls: ca === undefined ? {} : { ca } }
      : // Other servers of the cluster may be elsewhere, where nothing may travel in clear.
        { ignoreClusterUpdates: true }),
    ...(seed !== undefined && { authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)) }),
  }
}
