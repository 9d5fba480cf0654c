import { createPollLoop } from '../store/follow/poll-loop.ts'
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
  readonly log: Pick<Log, 'info' | 'warn'>
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

/** Creates a feed that reads nothing until it is started. */
export function createLiveFeed({ store, reader, log, intervalMs = 1_000 }: LiveFeedDeps): LiveFeed {
  let seen:
    | { readonly snapshot: string; readonly horizon: bigint; readonly atMs: number }
    | undefined
  let stopListening: (() => void) | undefined

  const poll = async () => {
    const atMs = performance.now()
    const before = seen
    // A database that was away may have lost what is not logged.
    seen = undefined
    // A process that was stopped for so long: what it did not see may be gone.
    const last = before !== undefined && atMs - before.atMs <= gapMs ? before : undefined
    const look = await lookForChanges(store.delivery, last?.snapshot)
    // A smaller number says that another database stands where the first one was.
    const isGap = last === undefined || look.isTooMuch || look.horizon < last.horizon
    seen = { ...look, atMs }
    if (isGap) reader.takeGap(look)
    else reader.take(look.changes, look.horizon)
  }
  const loop = createPollLoop({ poll, feature: 'Changes for dashboards', intervalMs, log })
  return {
    start() {
      stopListening = store.onAnnounce('live', () => {
        if (reader.isWanted()) loop.wake()
      })
      loop.start()
    },
    close() {
      stopListening?.()
      return loop.close()
    },
  }
}
