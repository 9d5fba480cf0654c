import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { closeClient } from './close-client.ts'

/** Describes the limits of a silent database. Together they are the longest wait for one. */
export interface SilenceLimits {
  /** Asks the database whether it lives once none of the connections in use has heard from it for so long. */
  readonly silentMs: number
  /** Limits the answer to that. */
  readonly answerMs: number
}

/** Ends what waits for a database that is frozen or cut off, long before the limit of a statement that works. */
export interface SilenceWatch {
  /** Watches a connection while it is in use. Returns what ends that. */
  watch(client: pg.ClientBase): () => void
  /** Waits for a connection. Rejects once the database is known to be silent; what is connected later is released. */
  wait(connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient>
}

/**
 * Creates a watch over the connections of a pool. A long statement is left alone for as long as the database answers a
 * new connection.
 *
 * @param connect returns a client that is not connected yet.
 */
export function createSilenceWatch(
  connect: () => pg.Client,
  { silentMs, answerMs }: SilenceLimits,
): SilenceWatch {
  const pending = new Set<Pending>()
  const heard = new WeakSet<pg.ClientBase>()
  let heardAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  let isAsking = false
  const hear = () => {
    heardAt = performance.now()
  }
  const ask = async () => {
    const askedAt = performance.now()
    const lives = await answers(connect(), answerMs)
    if (lives) hear()
    if (lives || heardAt >= askedAt) return
    for (const { end } of pending) end(new Error('The database is silent'))
  }
  const check = () => {
    const [oldest] = pending
    if (oldest === undefined) {
      clearInterval(timer)
      timer = undefined
      return
    }
    if (isAsking || performance.now() - Math.max(oldest.since, heardAt) < silentMs) return
    isAsking = true
    void ask().finally(() => {
      isAsking = false
    })
  }
  const begin = (end: Pending['end']) => {
    const added = { since: performance.now(), end }
    pending.add(added)
    timer ??= setInterval(check, silentMs / 4).unref()
    return () => void pending.delete(added)
  }
  return {
    watch(client) {
      if (!heard.has(client)) {
        heard.add(client)
        streamOf(client)?.on('data', hear)
      }
      return begin((error) => void streamOf(client)?.destroy(error))
    },
    async wait(connecting) {
      const silence = Promise.withResolvers<never>()
      const end = begin(silence.reject)
      try {
        return await Promise.race([connecting, silence.promise])
      } catch (error) {
        releaseLater(connecting)
        throw error
      } finally {
        end()
      }
    },
  }
}

/** Returns a connection to its pool that nobody waits for any more. */
function releaseLater(connecting: Promise<pg.PoolClient>): void {
  connecting.then(
    (client) => client.release(),
    () => undefined,
  )
}

/** Describes something that waits for the database. */
interface Pending {
  readonly since: number
  readonly end: (error: Error) => void
}

/** Returns whether the database answers a new connection. A rejection of PostgreSQL is an answer, too. */
async function answers(client: pg.Client, limitMs: number): Promise<boolean> {
  client.on('error', () => undefined)
  const answer = client.connect().then(
    () => client.query('select').then(() => true),
    (error: unknown) => error instanceof pg.DatabaseError,
  )
  const late = delay(limitMs, false, { ref: false })
  const lives = await Promise.race([answer.catch(() => false), late])
  // Said goodbye to only where somebody listens: otherwise each question would leave a socket behind.
  if (lives) void closeClient(client)
  else streamOf(client)?.destroy(new Error('The database did not answer'))
  return lives
}

interface Stream {
  on(event: 'data', listener: () => void): unknown
  destroy(error: Error): unknown
}

/** Returns the socket of a connection, which pg has no type for. */
function streamOf(client: pg.ClientBase): Stream | undefined {
  const stream: unknown = Object(Reflect.get(client, 'connection')).stream
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a socket, which pg documents no access to
  return stream === undefined ? undefined : (stream as Stream)
}
