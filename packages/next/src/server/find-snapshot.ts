import { ConfigError } from '@signalbox/config/client'
import { lastKnown, type LastKnown } from './last-known.ts'
import { readSnapshot, type SnapshotDocument } from './snapshot-document.ts'
import { within } from './within.ts'

/** Requests for one snapshot. */
export interface SnapshotRequests {
  /** Names the place and the key it is read with. */
  readonly key: string
  readonly ask: () => Promise<Response>
  /** Asks the cache of Next.js for what it has, however old. */
  readonly askCache?: () => Promise<Response>
  /** Hears of every failure. */
  readonly onError: (error: ConfigError) => void
}

/** Describes what was found, and how. */
export interface LoadedSnapshot {
  /** Missing when nothing is known: the server has not answered, now or before. */
  readonly document?: SnapshotDocument
  readonly source: 'network' | 'persisted' | 'default'
  readonly error?: ConfigError
}

// Together under the two seconds that a render may wait.
const patienceMs = 1_500
const cachePatienceMs = 300
/** After a failure the next renders wait no longer than this, so that a lost server is paid for once. */
const hasteMs = 100
const quietMs = 5_000

/**
 * Asks the server, and answers what was known before when it cannot be reached or refuses. Takes less than two seconds.
 *
 * @throws whatever Next.js throws to steer a render, and nothing else.
 */
export async function findSnapshot(requests: SnapshotRequests): Promise<LoadedSnapshot> {
  const known = lastKnown(requests.key)
  const isQuiet = performance.now() < known.quietUntil
  try {
    const document = await within(isQuiet ? hasteMs : patienceMs, ask(requests.ask, known))
    return { document, source: 'network' }
  } catch (cause) {
    if (steersNext(cause)) throw cause
    const error = toConfigError(cause)
    known.quietUntil = performance.now() + quietMs
    requests.onError(error)
    const document = known.document ?? (await findInCache(requests, known))
    return { ...(document && { document }), source: document ? 'persisted' : 'default', error }
  }
}

/** Keeps the answer, also one that nobody waits for any longer. */
async function ask(request: () => Promise<Response>, known: LastKnown): Promise<SnapshotDocument> {
  const document = await readSnapshot(await request())
  if (document.version >= (known.document?.version ?? 0)) known.document = document
  known.quietUntil = 0
  return document
}

/** A process that has just started knows nothing, and still stands beside the pages and the cache of an earlier one. */
async function findInCache(
  { askCache }: SnapshotRequests,
  known: LastKnown,
): Promise<SnapshotDocument | undefined> {
  if (askCache === undefined) return undefined
  const quietUntil = known.quietUntil
  try {
    return await within(cachePatienceMs, ask(askCache, known))
  } catch (cause) {
    if (steersNext(cause)) throw cause
    return undefined
  } finally {
    // A cache that answers is no server that does.
    known.quietUntil = quietUntil
  }
}

/** Returns whether Next.js threw this to make a route dynamic or to end a prerender. Marked so by it, and caught by nobody else. */
function steersNext(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && ('digest' in cause || '$$typeof' in cause)
}

function toConfigError(cause: unknown): ConfigError {
  if (cause instanceof ConfigError) return cause
  return new ConfigError('unreachable', `No answer: ${reasonOf(cause)}`, { cause })
}

/** Never the message: platforms repeat headers in it, and one of those is the token. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'the request failed'
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  return cause.cause instanceof Error ? reasonOf(cause.cause) : cause.name
}
