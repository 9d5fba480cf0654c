import type { WrappedDataKey } from '../../crypto/data-keys.ts'
import { followChanges, type ChangeFollower } from '../../store/follow/follow-changes.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Published } from './published.ts'
import type { PublishedVersion, PublishedChanges } from './rows.ts'
import { applyVersions, type FeedTarget } from './apply-versions.ts'

/** Describes where a feed reads published rows: the database, or a stub in tests. */
export interface PublishedSource<BrowserRow, ServerRow> {
  readonly changes: (since: string | undefined) => Promise<PublishedChanges>
  readonly browserRows: (versions: readonly PublishedVersion[]) => Promise<readonly BrowserRow[]>
  readonly serverRows: (versions: readonly PublishedVersion[]) => Promise<readonly ServerRow[]>
}

/** Describes when the database was last read, and whether it can be read now. */
export interface FeedStatus {
  /** Holds when the last read of the database began; `undefined` before the first one. */
  readonly readAt: Date | undefined
  /** Says in one sentence that the database cannot be read at the moment. */
  readonly failure: string | undefined
}

/** Keeps the snapshots in memory equal to what is published. */
export interface Feed extends Omit<ChangeFollower, 'isFailing' | 'close'> {
  status(): FeedStatus
  close(): void
}

/** Lists what a feed reads from, and what it writes to. */
export interface FeedDeps<
  BrowserRow extends Published,
  BrowserItem extends Published,
  ServerRow extends Published,
> {
  readonly source: PublishedSource<BrowserRow, ServerRow>
  readonly browser: FeedTarget<BrowserRow, BrowserItem>
  readonly server: FeedTarget<ServerRow, ServerRow>
  readonly applyDataKeys: (rows: readonly WrappedDataKey[]) => void
  readonly applyPublicKeys: (keys: readonly string[]) => void
  readonly now: () => Date
  readonly log: Log
  /** Default 1,000. */
  readonly intervalMs?: number
}

/** Creates a feed that reads nothing until it is started or asked to. */
export function createFeed<
  BrowserRow extends Published,
  BrowserItem extends Published,
  ServerRow extends Published,
>(deps: FeedDeps<BrowserRow, BrowserItem, ServerRow>): Feed {
  const { source, now, log, intervalMs = 1_000 } = deps
  let readAt: Date | undefined
  const follower = followChanges({
    feature: 'Published snapshots',
    log,
    intervalMs,
    // Every five minutes, so that no mistake lasts.
    pollsPerWholeRead: 300,
    async read(since) {
      const begunAt = now()
      const { xmin, dataKeys, publicKeys, browser, server } = await source.changes(
        since === undefined ? undefined : String(since),
      )
      return {
        xmin: BigInt(xmin),
        async apply(whole) {
          deps.applyDataKeys(dataKeys)
          deps.applyPublicKeys(publicKeys)
          await Promise.all([
            applyVersions(deps.browser, { versions: browser, whole, rowsOf: source.browserRows }),
            applyVersions(deps.server, { versions: server, whole, rowsOf: source.serverRows }),
          ])
          readAt = begunAt
        },
      }
    },
  })
  return {
    ...follower,
    status: () => ({
      readAt,
      failure: follower.isFailing() ? 'The database cannot be read.' : undefined,
    }),
    // Not awaited: a database that hangs must not hold up the stop.
    close: () => void follower.close(),
  }
}
