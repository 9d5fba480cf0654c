import type { WrappedDataKey } from '../crypto/data-keys.ts'
import { takeRandomBytes } from '../crypto/random.ts'
import type { Hint } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Published } from './published.ts'
import type { Head, PublishedChanges } from './rows.ts'
import { runOneAtATime } from './run-one-at-a-time.ts'
import { takeHeads, type FeedTarget } from './take-heads.ts'

/** Where published rows come from: the database, or another delivery. */
export interface PublishedSource<BrowserRow, ServerRow> {
  changes(since: string | undefined): Promise<PublishedChanges>
  browserRows(heads: readonly Head[]): Promise<readonly BrowserRow[]>
  serverRows(heads: readonly Head[]): Promise<readonly ServerRow[]>
}

export interface FeedStatus {
  /** When the database was last read; `undefined` before the first time. */
  readonly readAt: Date | undefined
  /** Why it cannot be read at the moment. */
  readonly fault: string | undefined
}

/** Keeps the snapshots in memory equal to what is published. */
export interface Feed {
  /** Looks at once. What was committed before the call is in memory afterwards. Rejects when the database is away. */
  refresh(): Promise<void>
  /** Looks every second and whenever it is woken, and goes on while the database is away. */
  start(): void
  /** Something was committed; or anything may have been, and everything is compared. */
  wake(hint: Hint): void
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
  /** After how many looks everything is compared, so that no mistake lasts. Default 300. */
  readonly looksPerComparison?: number
}

const retryMsMax = 5_000

export function createFeed<
  BrowserRow extends Published,
  BrowserItem extends Published,
  ServerRow extends Published,
>(deps: FeedDeps<BrowserRow, BrowserItem, ServerRow>): Feed {
  const { now, log, intervalMs = 1_000 } = deps
  const looker = createLooker(deps)
  const refresh = runOneAtATime(looker.look)
  let readAt: Date | undefined
  let fault: string | undefined
  let failures = 0
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const lookAndReport = async () => {
    try {
      await refresh()
      readAt = now()
      if (failures > 0) log.info('Published snapshots are read from the database again')
      failures = 0
      fault = undefined
    } catch (error) {
      failures += 1
      fault = 'The database cannot be read. What is in memory is served.'
      if (failures === 1)
        log.warn('Published snapshots cannot be read from the database', { error })
    }
  }
  const tick = async () => {
    await lookAndReport()
    if (closed) return
    const pauseMs = Math.min(intervalMs * 2 ** Math.max(0, failures - 1), retryMsMax)
    timer = setTimeout(() => void tick(), spread(pauseMs)).unref()
  }
  return {
    async refresh() {
      await refresh()
      readAt = now()
    },
    start: () => void tick(),
    wake(hint) {
      if (hint === 'joined') looker.distrust()
      if (!closed) void lookAndReport()
    },
    status: () => ({ readAt, fault }),
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

/** Reads what changed since the last look, and from time to time compares everything. */
function createLooker<
  BrowserRow extends Published,
  BrowserItem extends Published,
  ServerRow extends Published,
>(deps: FeedDeps<BrowserRow, BrowserItem, ServerRow>) {
  const { source, log, looksPerComparison = 300 } = deps
  let horizon: string | undefined
  let distrusted = false
  let looks = 0

  const look = async (): Promise<void> => {
    const whole = distrusted || horizon === undefined || looks % looksPerComparison === 0
    // Said again during this look, it holds for the next one.
    distrusted = false
    try {
      await take(whole)
    } catch (error) {
      // The database may come back as another one.
      distrusted = true
      throw error
    }
  }
  const take = async (whole: boolean): Promise<void> => {
    const { browser, server, ...changes } = await source.changes(whole ? undefined : horizon)
    // Numbers only grow: a smaller one comes from another database, restored or put in the place of the first.
    if (horizon !== undefined && BigInt(changes.horizon) < BigInt(horizon)) {
      log.warn('The database was replaced by another one; everything is read again')
      horizon = undefined
      await take(true)
      return
    }
    deps.applyDataKeys(changes.dataKeys)
    await Promise.all([
      takeHeads(deps.browser, {
        heads: browser,
        whole,
        rowsOf: (heads) => source.browserRows(heads),
      }),
      takeHeads(deps.server, { heads: server, whole, rowsOf: (heads) => source.serverRows(heads) }),
    ])
    horizon = changes.horizon
    looks += 1
  }
  return {
    look,
    /** Anything may have happened: the next look compares everything. */
    distrust() {
      distrusted = true
    },
  }
}

/** Between 80 and 120 % of a pause, so that nodes do not ask in step. */
function spread(pauseMs: number): number {
  const [chance = 0] = takeRandomBytes(1)
  return pauseMs * (0.8 + (chance / 255) * 0.4)
}
