import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { LiveChange } from './change.ts'
import { lookForChanges, type Look } from './rows.ts'

/** Whoever is told what a node has read. */
export interface LiveReader {
  /** Whether anybody wants to know at once. */
  isWanted(): boolean
  /** What was committed since the call before; whatever is to come has the number `horizon` or a higher one. */
  take(changes: readonly LiveChange[], horizon: bigint): void
  /**
   * Something may have been missed: whatever was shown may be old. Numbers are compared from `horizon` on; of what is below
   * `ceiling` some was committed before, and will not be told.
   */
  takeGap(look: Pick<Look, 'horizon' | 'ceiling'>): void
}

export interface LiveFeedDeps {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  readonly reader: LiveReader
  readonly log: Pick<Log, 'warn'>
  /** Default 1,000: an announcement that was lost costs no more than that. */
  readonly intervalMs?: number
}

/** Reads what changed, after each announcement and every second. */
export interface LiveFeed {
  start(): void
  close(): Promise<void>
}

/** Less than the time for which changes are kept (retention/forget-changes.ts). */
const gapMs = 10 * 60_000

/** Opens a feed. Reads nothing until it is started. */
export function createLiveFeed({ store, reader, log, intervalMs = 1_000 }: LiveFeedDeps): LiveFeed {
  let seen:
    | { readonly snapshot: string; readonly horizon: bigint; readonly atMs: number }
    | undefined
  let looking: Promise<void> | undefined
  let isAskedAgain = false
  let timer: NodeJS.Timeout | undefined
  let stopListening: (() => void) | undefined
  let closed = false

  const look = async () => {
    const atMs = performance.now()
    // A process that was stopped for so long: what it did not see may be gone.
    if (seen !== undefined && atMs - seen.atMs > gapMs) seen = undefined
    const found = await lookForChanges(store.delivery, seen?.snapshot)
    // After a failure, and where a smaller number says that another database stands where the first one was.
    const isGap = seen === undefined || found.isTooMuch || found.horizon < seen.horizon
    seen = { ...found, atMs }
    if (isGap) reader.takeGap(found)
    else reader.take(found.changes, found.horizon)
  }
  const lookAndReport = async () => {
    try {
      await look()
    } catch (error) {
      // A database that was away may have lost what is not logged.
      seen = undefined
      log.warn('What changed could not be read', { error })
    }
  }
  /** One at a time. Whoever asks during one gets the next, because the one under way may have seen too little. */
  const lookNow = () => {
    if (looking !== undefined) {
      isAskedAgain = true
      return
    }
    looking = lookAndReport().finally(() => {
      looking = undefined
      if (!isAskedAgain || closed) return
      isAskedAgain = false
      lookNow()
    })
  }
  const tick = () => {
    lookNow()
    timer = setTimeout(tick, intervalMs).unref()
  }
  return {
    start() {
      stopListening = store.onAnnounce('live', () => {
        if (reader.isWanted()) lookNow()
      })
      tick()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      stopListening?.()
      await looking
    },
  }
}
