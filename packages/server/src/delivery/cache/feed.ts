import type { WrappedDataKey } from '../../crypto/data-keys.ts'
import { followChanges, type ChangeFollower } from '../../store/follow/follow-changes.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Published } from './published.ts'
import type { Head, PublishedChanges } from './rows.ts'
import { takeHeads, type FeedTarget } from './take-heads.ts'

/** Where published rows come from: the database, or another delivery. */
export interface PublishedSource<BrowserRow, ServerRow> {
  readonly changes: (since: string | undefined) => Promise<PublishedChanges>
  readonly browserRows: (heads: readonly Head[]) => Promise<readonly BrowserRow[]>
  readonly serverRows: (heads: readonly Head[]) => Promise<readonly ServerRow[]>
}

export interface FeedStatus {
  /** When the database was last read; `undefined` before the first time. */
  readonly readAt: Date | undefined
  /** Why it cannot be read at the moment. */
  readonly fault: string | undefined
}

/** Keeps the snapshots in memory equal to what is published. */
export interface Feed extends Omit<ChangeFollower, 'isFailing' | 'close'> {
  status(): FeedStatus
  close(): void
}

export interface FeedDeps<
  BrowserRow extends Published,
  BrowserItem extends Published,
  ServerRow extends Published,
> {
  readonly source: PublishedSource<BrowserRow, ServerRow>
  readonly browser: FeedTarget<BrowserRow, BrowserItem>
  readonly server: FeedTarget<ServerRow, ServerRow>
  readonly applyDataKeys: (rows: readonly WrappedDataKey[]) => void
  readonly now: () => Date
  readonly log: Log
  /** Default 1,000. */
  readonly intervalMs?: number
  /** After how many polls everything is compared, so that no mistake lasts. Default 300. */
  readonly pollsPerComparison?: number
}

/** Creates a feed that reads nothing until it is started or asked to. */
export function createFeed<
  BrowserRow extends Published,
  BrowserItem extends Published,
  ServerRow extends Published,
>(deps: FeedDeps<BrowserRow, BrowserItem, ServerRow>): Feed {
  const { source, now, log, intervalMs = 1_000, pollsPerComparison = 300 } = deps
  let readAt: Date | undefined
  const follower = followChanges({
    feature: 'Published snapshots',
    log,
    intervalMs,
    pollsPerWholeRead: pollsPerComparison,
    async read(since) {
      const { horizon, dataKeys, browser, server } = await source.changes(
        since === undefined ? undefined : String(since),
      )
      return {
        xmin: BigInt(horizon),
        async apply(whole) {
          deps.applyDataKeys(dataKeys)
          await Promise.all([
            takeHeads(deps.browser, { heads: browser, whole, rowsOf: source.browserRows }),
            takeHeads(deps.server, { heads: server, whole, rowsOf: source.serverRows }),
          ])
          readAt = now()
        },
      }
    },
  })
  return {
    ...follower,
    status: () => ({
      readAt,
      fault: follower.isFailing()
        ? 'The database cannot be read. What is in memory is served.'
        : undefined,
    }),
    // Not waited for: a database that hangs holds up no stop.
    close: () => void follower.close(),
  }
}
