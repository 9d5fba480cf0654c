import type * as js from '@nats-io/jetstream'
import type * as nats from '@nats-io/transport-node'
import { ConflictError, NatsUpstreamError } from './nats-upstream-error.ts'
import {
  hostOf,
  openNatsSession,
  type NatsClient,
  type NatsSessionOptions,
} from './nats-session.ts'

/** Names the clients of NATS and of its JetStream, which are loaded only where they are used. */
export type NatsLibrary = NatsClient & Omit<typeof js, 'default'>

/** Connects this process with NATS, again and again until it is closed. */
export interface NatsLink {
  /** Names the servers in the log and in `/readyz`. */
  readonly host: string
  /** Returns the release of the server behind the connection; `undefined` while there is none. */
  serverVersion(): string | undefined
  /** Waits for the first connection, a second at most after the start: what is asked for meanwhile need not fail. */
  ready(): Promise<void>
  /** Calls NATS over the connection. @throws {NatsUpstreamError} @throws {ConflictError} */
  use<T>(work: (connection: nats.NatsConnection, library: NatsLibrary) => Promise<T>): Promise<T>
  /** Sends a message to those who listen now. Returns whether it was sent. */
  publish(subject: string, data: string): boolean
  /** Calls `listener` with each message, over every connection. Returns what stops that. */
  subscribe(subject: string, listener: (data: Uint8Array) => void): () => void
  /** Calls `listener` whenever a connection begins. Returns what stops that. */
  onConnect(listener: () => void): () => void
  close(): Promise<void>
}

const readyMs = 1_000

/** Opens a connection in the background. Does not wait for it: a node starts from its disk meanwhile. */
export async function openNatsLink(options: NatsSessionOptions): Promise<NatsLink> {
  const client = await import('@nats-io/transport-node')
  const library = { ...(await import('@nats-io/jetstream')), ...client }
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
    async use(work) {
      await isReady
      const connection = session.current()
      if (connection === undefined) throw away()
      try {
        return await work(connection, library)
      } catch (error) {
        throw session.current() === undefined ? away() : toFailure(library, error, host)
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
  readonly listener: (data: Uint8Array) => void
  stop: (() => void) | undefined
}

/** Keeps what is listened to over every connection. */
function createSubscriptions() {
  const all = new Set<Subscribed>()
  let connection: nats.NatsConnection | undefined
  const attach = (each: Subscribed) => {
    const subscription = connection?.subscribe(each.subject, {
      callback(error, message) {
        if (error === null) each.listener(message.data)
      },
    })
    each.stop = () => subscription?.unsubscribe()
  }
  return {
    attach(next: nats.NatsConnection) {
      connection = next
      for (const each of all) attach(each)
    },
    add(subject: string, listener: (data: Uint8Array) => void) {
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

/** Holds the code of JetStream for another sequence than the expected one (nats-server `errors.json`). */
const wrongLastSequence = 10_071

function toFailure(
  { errors, JetStreamApiError }: NatsLibrary,
  error: unknown,
  host: string,
): NatsUpstreamError | ConflictError {
  if (error instanceof NatsUpstreamError) return error
  const cause = rootOf(error)
  if (cause instanceof JetStreamApiError && cause.code === wrongLastSequence) {
    return new ConflictError(cause.message)
  }
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

/** Returns the error that the others wrap. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error
}
