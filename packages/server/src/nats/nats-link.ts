import type * as nats from '@nats-io/transport-node'
import { NatsUpstreamError } from './nats-upstream-error.ts'
import {
  hostOf,
  openNatsSession,
  type NatsClient,
  type NatsSessionOptions,
} from './nats-session.ts'

export interface NatsMessage {
  readonly data: Uint8Array
  /** Holds its headers, by their names. */
  readonly headers: ReadonlyMap<string, string>
  /** Holds the status of an answer without content, such as 404; 0 for any other message. */
  readonly status: number
}

export interface NatsRequest {
  readonly data?: Uint8Array | string
  readonly headers?: Readonly<Record<string, string>>
  /** Default 2,000. */
  readonly timeoutMs?: number
}

/** Connects this process with NATS, again and again until it is closed. */
export interface NatsLink {
  /** Names the servers in the log and in `/readyz`. */
  readonly host: string
  /** Returns the release of the server behind the connection; `undefined` while there is none. */
  serverVersion(): string | undefined
  /** Waits for the first connection, a second at most after the start: what is asked for meanwhile need not fail. */
  ready(): Promise<void>
  /** @throws {NatsUpstreamError} */
  request(subject: string, request?: NatsRequest): Promise<NatsMessage>
  /** Sends a message to those who listen now. Returns whether it was sent. */
  publish(subject: string, data: string): boolean
  /** Calls `listener` with each message, over every connection. Returns what stops that. */
  subscribe(subject: string, listener: (message: NatsMessage) => void): () => void
  /** Calls `listener` whenever a connection begins. Returns what stops that. */
  onConnect(listener: () => void): () => void
  close(): Promise<void>
}

const requestMs = 2_000
const readyMs = 1_000

/** Opens a connection in the background. Does not wait for it: a node starts from its disk meanwhile. */
export async function openNatsLink(options: NatsSessionOptions): Promise<NatsLink> {
  const client = await import('@nats-io/transport-node')
  const host = hostOf(options.settings)
  const listeners = new Set<() => void>()
  const { promise: isReady, resolve: setReady } = Promise.withResolvers<void>()
  setTimeout(setReady, readyMs).unref()
  const subscriptions = createSubscriptions()
  const session = openNatsSession(client, options, {
    onOpen: (connection) => subscriptions.attach(connection),
    onConnect() {
      setReady()
      for (const listener of listeners) listener()
    },
  })
  const away = () =>
    new NatsUpstreamError(
      'away',
      `NATS cannot be reached at ${host}: ${session.failure() ?? 'unknown'}.`,
    )
  return {
    host,
    serverVersion: () => session.current()?.info?.version,
    ready: () => isReady,
    async request(subject, { data, headers, timeoutMs = requestMs } = {}) {
      await isReady
      const connection = session.current()
      if (connection === undefined) throw away()
      try {
        const named = headers && { headers: toHeaders(client, headers) }
        return toMessage(await connection.request(subject, data, { timeout: timeoutMs, ...named }))
      } catch (error) {
        throw session.current() === undefined ? away() : toFailure(client, error, host)
      }
    },
    publish(subject, data) {
      const connection = session.current()
      connection?.publish(subject, data)
      return connection !== undefined
    },
    subscribe: (subject, listener) => subscriptions.add(subject, listener),
    onConnect(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => session.close(),
  }
}

interface Subscribed {
  readonly subject: string
  readonly listener: (message: NatsMessage) => void
  stop: (() => void) | undefined
}

/** Keeps what is listened to over every connection. */
function createSubscriptions() {
  const all = new Set<Subscribed>()
  let connection: nats.NatsConnection | undefined
  const attach = (each: Subscribed) => {
    const subscription = connection?.subscribe(each.subject, {
      callback(error, message) {
        if (error === null) each.listener(toMessage(message))
      },
    })
    each.stop = () => subscription?.unsubscribe()
  }
  return {
    attach(next: nats.NatsConnection) {
      connection = next
      for (const each of all) attach(each)
    },
    add(subject: string, listener: (message: NatsMessage) => void) {
      const each: Subscribed = { subject, listener, stop: undefined }
      all.add(each)
      if (connection?.isClosed() === false) attach(each)
      return () => {
        all.delete(each)
        each.stop?.()
      }
    },
  }
}

function toHeaders({ headers }: NatsClient, named: Readonly<Record<string, string>>) {
  const made = headers()
  for (const [name, value] of Object.entries(named)) made.set(name, value)
  return made
}

function toMessage({ data, headers }: nats.Msg): NatsMessage {
  const names = headers?.keys() ?? []
  const named = new Map(names.map((name) => [name, headers?.last(name) ?? '']))
  return { data, headers: named, status: headers?.code ?? 0 }
}

function toFailure({ errors }: NatsClient, error: unknown, host: string): NatsUpstreamError {
  const cause = error instanceof errors.RequestError ? error.cause : error
  if (cause instanceof errors.NoRespondersError) {
    return new NatsUpstreamError(
      'nobody',
      `NATS at ${host} has no stream with the snapshots. A process with the role worker and SIGNALBOX_NATS_URL makes it.`,
      { cause },
    )
  }
  if (cause instanceof errors.TimeoutError) {
    return new NatsUpstreamError('silent', `NATS at ${host} did not answer in time.`, { cause })
  }
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new NatsUpstreamError('refused', `NATS at ${host} refused a request: ${reason}.`, {
    cause,
  })
}
