import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { closeClient } from './connections/close-client.ts'
import { shareNodeLock } from './node-lock.ts'
import { clientConfig, requestLimits, type Role } from './role-pool.ts'
import type { ConnectionTarget } from './connection-target.ts'
import type { StoreLog } from './log.ts'
import type { Announcements, Announcement, Statement, Topic } from './store.ts'

const channel = 'signalbox'
const reconnectMsMax = 5_000
const heartbeatMs = 10_000

/** Sends and receives the announcements of one process. `close` ends its listening connection. */
export interface Announcer extends Announcements {
  close(): Promise<void>
}

/** Sends at most one NOTIFY at a time, because its commit takes a lock of the whole database. */
function createSender(
  send: (topics: readonly Topic[]) => Promise<unknown>,
  log: StoreLog,
): (topic: Topic) => void {
  const waiting = new Set<Topic>()
  let sending = false
  const sendAll = async () => {
    sending = true
    // The topics of one commit are announced one after the other, and go together.
    await Promise.resolve()
    while (waiting.size > 0) {
      const topics = [...waiting]
      waiting.clear()
      try {
        await send(topics)
      } catch (error) {
        // The other nodes see the change at their next poll.
        log.warn('Could not announce a change to the other nodes', { reason: String(error) })
      }
    }
    sending = false
  }
  return (topic) => {
    waiting.add(topic)
    if (!sending) void sendAll()
  }
}

/** Refuses a host that announces nothing because it takes no writes. With a single host that may pass. */
async function requireWritable(client: pg.Client, hostCount: number): Promise<void> {
  const { rows } = await client.query<{ standby: boolean; readOnly: boolean }>(
    `select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly"`,
  )
  if (rows[0]?.standby === true) throw new Error('A standby announces nothing')
  if (rows[0]?.readOnly === true && hostCount > 1) throw new Error('The host accepts no writes')
}

/**
 * Waits for the end of a connection, or of its host's time as the primary. Regular queries notice a network that silently
 * drops everything.
 */
async function stayConnected(
  client: pg.Client,
  hostCount: number,
  { ended, signal }: { readonly ended: Promise<void>; readonly signal: AbortSignal },
) {
  const closed = ended.then(() => 'closed' as const)
  for (;;) {
    const pause = delay(heartbeatMs, 'open' as const, { signal }).catch(() => 'closed' as const)
    if ((await Promise.race([closed, pause])) === 'closed') return
    await requireWritable(client, hostCount)
  }
}

function refuseEnded(): never {
  throw new Error('The connection was ended')
}

interface Listening {
  close(): Promise<void>
}

/** Keeps a LISTEN connection open, and reopens it whenever it ends. */
function listen(options: {
  readonly target: ConnectionTarget
  readonly role: Role
  readonly log: StoreLog
  readonly heard: (payload: string | undefined) => void
}): Listening {
  const { target, role, log, heard } = options
  const stop = new AbortController()
  let current: pg.Client | undefined
  const hold = async (host: pg.ClientConfig) => {
    const client = new pg.Client(clientConfig(host, role, requestLimits))
    current = client
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    client.on('notification', ({ payload }) => heard(payload))
    try {
      // `connect()` of a connection that is ended meanwhile never settles.
      await Promise.race([client.connect(), ended.then(refuseEnded)])
      await requireWritable(client, target.hosts.length)
      await client.query(shareNodeLock)
      await client.query(`listen ${channel}`)
      heard(undefined)
      await stayConnected(client, target.hosts.length, { ended, signal: stop.signal })
    } finally {
      await closeClient(client)
    }
  }
  const run = async () => {
    let pauseMs = 50
    for (let turn = 0; !stop.signal.aborted; turn += 1) {
      const openedAt = performance.now()
      try {
        await hold(target.hosts[turn % target.hosts.length] ?? {})
      } catch (error) {
        if (pauseMs >= reconnectMsMax)
          log.warn('Lost the connection that listens for announcements', { reason: String(error) })
      }
      pauseMs =
        performance.now() - openedAt > reconnectMsMax ? 50 : Math.min(pauseMs * 2, reconnectMsMax)
      await delay(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: stop.signal }).catch(
        () => undefined,
      )
    }
  }
  const running = run()
  return {
    async close() {
      stop.abort()
      if (current !== undefined) await closeClient(current)
      await running
    },
  }
}

/**
 * Combines the announcements of this process with those of the other nodes. Starts to listen with the first listener.
 */
export function createAnnouncer(options: {
  readonly target: ConnectionTarget
  readonly role: Role
  readonly log: StoreLog
  readonly send: (statement: Statement) => Promise<unknown>
}): Announcer {
  const { target, role, log } = options
  const origin = randomBytes(9).toString('base64url')
  const listeners = new Map<Topic, Set<(announcement: Announcement) => void>>()
  const wake = (topic: Topic, announcement: Announcement) => {
    for (const listener of listeners.get(topic) ?? []) listener(announcement)
  }
  const notify = createSender(
    (topics) =>
      options.send({
        name: 'announce',
        text: `select pg_notify('${channel}', $1)`,
        values: [[origin, ...topics].join(' ')],
      }),
    log,
  )
  const hear = (payload: string | undefined) => {
    const [sender, ...topics] = payload?.split(' ') ?? []
    if (sender === origin) return
    // An absent payload means a new connection: announcements may have been missed.
    const announcement = payload === undefined ? 'joined' : 'committed'
    for (const topic of listeners.keys())
      if (announcement === 'joined' || topics.includes(topic)) wake(topic, announcement)
  }
  let listening: Listening | undefined
  return {
    announce(topic) {
      wake(topic, 'committed')
      notify(topic)
    },
    onAnnounce(topic, listener) {
      const ofTopic = listeners.get(topic) ?? new Set()
      listeners.set(topic, ofTopic.add(listener))
      listening ??= listen({ target, role, log, heard: hear })
      return () => {
        ofTopic.delete(listener)
      }
    },
    async close() {
      listeners.clear()
      await listening?.close()
    },
  }
}
