import { createPollLoop } from '../store/follow/poll-loop.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { LiveChange } from './change.ts'
import { pollChanges, type ChangesPoll } from './rows.ts'

/** Receives the changes that this node has read. */
export interface LiveReader {
  /** Returns whether a stream is open, so that the feed polls after each announcement. */
  hasReaders(): boolean
  /**
   * Receives the changes that were committed since the previous call. Every later one has the number `xmin` or a higher
   * one.
   */
  receive(changes: readonly LiveChange[], xmin: bigint): void
  /**
   * Called when changes may have been missed, so that everything shown may be old. Later changes have the number `xmin`
   * or a higher one. Some changes below `xmax` were committed before and will not be reported.
   */
  receiveGap(polled: Pick<ChangesPoll, 'xmin' | 'xmax'>): void
}

/** Describes where changes are read, and who receives them. */
export interface LiveFeedDeps {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  readonly reader: LiveReader
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Sets how often changes are polled. Default 1,000: a lost announcement delays a change by no more. */
  readonly intervalMs?: number
}

/** Reads changes after each announcement and every second. */
export interface LiveFeed {
  start(): void
  close(): Promise<void>
}

/**
 * Limits the pause after which changes may have been deleted unread. Must be less than the time they are kept for
 * (forget-changes.ts).
 */
const gapMs = 10 * 60_000

/** Creates a feed that reads nothing until it is started. */
export function createLiveFeed({ store, reader, log, intervalMs = 1_000 }: LiveFeedDeps): LiveFeed {
  let lastPoll:
    | { readonly snapshot: string; readonly xmin: bigint; readonly atMs: number }
    | undefined
  let stopListening: (() => void) | undefined

  const poll = async () => {
    const atMs = performance.now()
    const before = lastPoll
    // If this poll fails, the next one is a gap: the table is not logged, so a crash of the database empties it.
    lastPoll = undefined
    // After such a pause, unread changes may have been deleted.
    const last = before !== undefined && atMs - before.atMs <= gapMs ? before : undefined
    const polled = await pollChanges(store.delivery, last?.snapshot)
    // A smaller number means that the database was replaced.
    const isGap = last === undefined || polled.hasTooMany || polled.xmin < last.xmin
    lastPoll = { ...polled, atMs }
    if (isGap) reader.receiveGap(polled)
    else reader.receive(polled.changes, polled.xmin)
  }
  const loop = createPollLoop({ poll, feature: 'Changes for dashboards', intervalMs, log })
  return {
    start() {
      stopListening = store.onAnnounce('live', () => {
        if (reader.hasReaders()) loop.wake()
      })
      loop.start()
    },
    close() {
      stopListening?.()
      return loop.close()
    },
  }
}
