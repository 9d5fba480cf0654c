import { ConfigError } from '@signalbox/config/client'
import { readSnapshot, type SnapshotDocument } from './snapshot-document.ts'

export interface SnapshotRequests {
  /** Identifies the source and its key. */
  readonly key: string
  /** Names the source in errors. */
  readonly names: string
  readonly ask: () => Promise<Response>
  /** Reads the cache of Next.js, however old its entry is. */
  readonly askCache?: () => Promise<Response>
  /** Called with every error. */
  readonly onError: (error: ConfigError) => void
}

/** Describes a snapshot, and how it was read. */
export interface LoadedSnapshot {
  /** Holds the snapshot. Missing when the server has not answered, now or before. */
  readonly document?: SnapshotDocument
  readonly source: 'network' | 'persisted' | 'default'
  readonly error?: ConfigError
}

// Both limits together stay below the two seconds that a render may wait.
const patienceMs = 1_500
const cachePatienceMs = 300
/** Limits how long the renders after a failure wait, so that only one pays for an unreachable server. */
const hasteMs = 100
const quietMs = 5_000

/**
 * Reads the snapshot from the server, or returns the last known one when the server is unreachable or refuses. Takes
 * less than two seconds.
 *
 * @throws whatever Next.js throws to control a render, and nothing else.
 */
export async function findSnapshot(requests: SnapshotRequests): Promise<LoadedSnapshot> {
  const known = lastKnown(requests.key)
  const isQuiet = performance.now() < known.quietUntil
  const { failure } = known
  const answer = ask(requests.ask, requests.names, known)
  if (failure !== undefined && isBuild()) {
    // Asks anyway: that is how Next.js knows when to render the page again.
    answer.catch(() => {})
    return toLoaded(known.document, failure)
  }
  try {
    const document = await within(isQuiet ? hasteMs : patienceMs, answer)
    return { document, source: 'network' }
  } catch (cause) {
    if (steersNext(cause)) throw cause
    const error = toConfigError(cause)
    known.quietUntil = performance.now() + quietMs
    requests.onError(error)
    const document = known.document ?? (await findInCache(requests, known))
    known.failure = error
    return toLoaded(document, error)
  }
}

/**
 * Returns whether `next build` is running. With `cacheComponents` it renders each page twice, and the second time
 * nothing may take time but what the first time has kept: a failure is kept by nobody else.
 */
const isBuild = () => process.env['NEXT_PHASE'] === 'phase-production-build'

function toLoaded(document: SnapshotDocument | undefined, error: ConfigError): LoadedSnapshot {
  return { ...(document && { document }), source: document ? 'persisted' : 'default', error }
}

/** Stores the response, also when nobody waits for it any longer. */
async function ask(
  request: () => Promise<Response>,
  names: string,
  known: LastKnown,
): Promise<SnapshotDocument> {
  const document = await readSnapshot(await request(), names)
  if (document.version >= (known.document?.version ?? 0)) known.document = document
  known.quietUntil = 0
  known.failure = undefined
  return document
}

/** A new process knows nothing, but the pages and the cache of an earlier one still exist. */
async function findInCache(
  { askCache, names }: SnapshotRequests,
  known: LastKnown,
): Promise<SnapshotDocument | undefined> {
  if (askCache === undefined) return undefined
  const quietUntil = known.quietUntil
  try {
    return await within(cachePatienceMs, ask(askCache, names, known))
  } catch (cause) {
    if (steersNext(cause)) throw cause
    return undefined
  } finally {
    // A response from the cache does not mean that the server is reachable.
    known.quietUntil = quietUntil
  }
}

/** Returns whether Next.js threw this to make a route dynamic or to end a prerender. It must not be caught. */
function steersNext(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && ('digest' in cause || '$$typeof' in cause)
}

function toConfigError(cause: unknown): ConfigError {
  if (cause instanceof ConfigError) return cause
  return new ConfigError('unreachable', `No response: ${reasonOf(cause)}`, { cause })
}

/** Returns the name of an error and never its message: platforms repeat headers in it, and one of those is the token. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'the request failed'
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  return cause.cause instanceof Error ? reasonOf(cause.cause) : cause.name
}

/** Describes the last known snapshot of one source. */
interface LastKnown {
  document?: SnapshotDocument
  /** Milliseconds of `performance.now()` until which a render does not wait for the server again. */
  quietUntil: number
  /** Holds the failure of the last request. `undefined` after an answer, and before the first. */
  failure: ConfigError | undefined
}

const symbol = Symbol.for('@signalbox/next last known')

/** Holds one map for the process: a bundler may load this module once for each route. */
function table(): Map<string, LastKnown> {
  const shared: typeof globalThis & { [symbol]?: Map<string, LastKnown> } = globalThis
  return (shared[symbol] ??= new Map())
}

/**
 * Returns the last known snapshot of the source that `key` identifies. The key holds the token, because another token
 * may read other values.
 */
function lastKnown(key: string): LastKnown {
  const known = table().get(key) ?? { quietUntil: 0, failure: undefined }
  table().set(key, known)
  return known
}

/**
 * Waits for `work`, at most `limitMs`. The work goes on, and a later failure is ignored. An abort signal would end
 * it, but Next.js does not share requests that have one.
 *
 * @throws {ConfigError} `unreachable` when the time is over.
 */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ConfigError('unreachable', `No response within ${limitMs} ms`))
    }, limitMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
