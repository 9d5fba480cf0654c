import type { KeyRing } from '../identity/key-ring/key-ring.ts'
import { toBrowserItem, type BrowserItem } from './browser/browser-item.ts'
import type { DeliveryDeps } from './delivery-deps.ts'
import { createDiskCache } from './disk/disk-cache.ts'
import { createFeed, type Feed, type FeedStatus } from './cache/feed.ts'
import {
  createDeliveryHandler,
  type DeliveryAddress,
  type DeliveryHandler,
} from './http/handler.ts'
import type { Holdings } from './cache/holdings.ts'
import { createKeepAsOf } from './disk/keep-as-of.ts'
import type { KeyUse } from './http/key-uses.ts'
import { findChanges, listBrowserRows, listServerRows } from './cache/rows.ts'
import { createSecretBox } from './server/secret-box.ts'
import type { ServerRow } from './server/server-item.ts'
import { createShelf } from './cache/shelf.ts'
import { createServing, type Serving } from './cache/serving.ts'
import { createAcceptStream, type AcceptStream } from './fast/accept-stream.ts'

export interface DeliveryStatus extends FeedStatus {
  /** Where the snapshots in memory come from. */
  readonly loadedFrom: 'nothing' | 'disk' | 'database'
  /** When what is served was last known to equal the database, before the last start too; `undefined`: nobody knows. */
  readonly asOf: Date | undefined
  readonly snapshots: number
  readonly streams: number
}

/** The role that serves configuration. */
export interface Delivery {
  /** The ring it was given, with every change saved to disk: what feeds the ring feeds this one. */
  readonly ring: KeyRing
  /** Loads what the disk has, then follows the database, present or not. */
  start(): Promise<void>
  /** Looks at the database at once. Rejects when it is away. */
  refresh(): Promise<void>
  handlerFor(address: DeliveryAddress): DeliveryHandler
  /** Receives the connections of the delivery's own address before node:http does. */
  acceptStream(): AcceptStream
  status(): DeliveryStatus
  /** The keys that were used since the last call, those of open streams among them, and when. */
  takeKeyUses(): readonly KeyUse[]
  /** Resolves when the disk has what memory has. */
  flush(): Promise<void>
  /** Ends every stream with a hint when to come back, and opens no more. Connections end with the answers under way. */
  endStreams(): void
  /** Stops following the database. Resolves when the disk has everything. */
  close(): Promise<void>
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { store, log, now, ring } = deps
  const holdings: Holdings = {
    browser: createShelf<BrowserItem>(),
    server: createShelf<ServerRow>(),
    secrets: createSecretBox(deps.rootKeys),
    disk: createDiskCache({ dataDir: deps.dataDir, log }),
  }
  const { browser, disk } = holdings
  const feed = createPublishedFeed(deps, holdings)
  const serving = createServing(deps, holdings)
  const { streams } = serving
  const listening: (() => void)[] = []
  const readAt = () => feed.status().readAt
  const keepAsOf = createKeepAsOf({ readAt, save: (asOf) => disk.saveAsOf(asOf), log })
  let fromDisk: FromDisk = { hasSnapshots: false, asOf: undefined }
  deps.metrics.watchDelivery(() => ({
    snapshots: browser.size,
    ageSeconds: secondsSince(readAt() ?? fromDisk.asOf, now()),
    answers: serving.answerCounts.list(),
  }))

  return {
    ring: savingRing(ring, () => disk.saveRing(() => ring.save())),
    async start() {
      fromDisk = await loadFromDisk(deps, holdings)
      listening.push(store.onAnnounce('snapshots', (hint) => feed.wake(hint)))
      feed.start()
      keepAsOf.start()
    },
    refresh: () => feed.refresh(),
    handlerFor: (address) => createDeliveryHandler(serving, address),
    acceptStream: () => createAcceptStream(serving),
    status() {
      const read = feed.status()
      const unread = fromDisk.hasSnapshots ? 'disk' : 'nothing'
      const loadedFrom = read.readAt === undefined ? unread : 'database'
      const asOf = read.readAt ?? fromDisk.asOf
      return { ...read, loadedFrom, asOf, snapshots: browser.size, streams: streams.size }
    },
    takeKeyUses: () => takeKeyUses(serving),
    flush: () => disk.flush(),
    endStreams() {
      streams.close()
      for (const response of serving.unfinished) response.shouldKeepAlive = false
    },
    async close() {
      for (const stop of listening) stop()
      feed.close()
      streams.close()
      await keepAsOf.close()
      await disk.flush()
    },
  }
}

/** Who holds a stream open uses its key, whether anything changes or not. */
function takeKeyUses({ streams, uses, now }: Serving): readonly KeyUse[] {
  const atMs = now().getTime()
  for (const reader of streams.readers()) {
    if (reader.type === 'apiKey' && reader.isValid()) reader.noteUse(atMs)
  }
  return uses.take()
}

function secondsSince(moment: Date | undefined, now: Date): number | undefined {
  return moment === undefined ? undefined : Math.max(0, (now.getTime() - moment.getTime()) / 1000)
}

function createPublishedFeed(
  { store, now, log }: DeliveryDeps,
  { browser, server, secrets, disk }: Holdings,
): Feed {
  const reader = store.delivery
  return createFeed({
    source: {
      changes: (since) => findChanges(reader, since),
      browserRows: (heads) => listBrowserRows(reader, heads),
      serverRows: (heads) => listServerRows(reader, heads),
    },
    browser: { ...disk.browser, shelf: browser, toItem: toBrowserItem },
    server: { ...disk.server, shelf: server, toItem: (row) => row },
    applyDataKeys(rows) {
      if (secrets.apply(rows)) disk.saveDataKeys(() => secrets.save())
    },
    now,
    log,
  })
}

interface FromDisk {
  readonly hasSnapshots: boolean
  readonly asOf: Date | undefined
}

/** A cache that cannot be read is no reason not to start. */
async function loadFromDisk(
  { restoreRing, log }: DeliveryDeps,
  { browser, server, secrets, disk }: Holdings,
): Promise<FromDisk> {
  try {
    const saved = await disk.load()
    secrets.apply(saved.dataKeys)
    for (const row of saved.browser) browser.replace(toBrowserItem(row))
    for (const row of saved.server) server.replace(row)
    if (saved.ring !== undefined) restoreRing(saved.ring)
    const hasSnapshots = saved.browser.length > 0
    return { hasSnapshots, asOf: hasSnapshots ? saved.asOf : undefined }
  } catch (error) {
    log.error('The disk cache cannot be read; snapshots come from the database', { error })
    return { hasSnapshots: false, asOf: undefined }
  }
}

function savingRing(ring: KeyRing, save: () => void): KeyRing {
  return {
    ...ring,
    apply(rows) {
      ring.apply(rows)
      if (Object.values(rows).some((each) => each.length > 0)) save()
    },
    replace(rows) {
      ring.replace(rows)
      save()
    },
  }
}
