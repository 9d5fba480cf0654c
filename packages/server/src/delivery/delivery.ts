import type { ApiKeyCache } from '../identity/key-cache/api-key-cache.ts'
import { toBrowserItem, type BrowserItem } from './browser/browser-item.ts'
import type { DeliveryDeps } from './delivery-deps.ts'
import { createDiskCache } from './disk/disk-cache.ts'
import { loadFromDisk, nothingOnDisk, type FromDisk } from './disk/load-from-disk.ts'
import { createReadOnlyCache } from './disk/read-only-cache.ts'
import { createFeed, type Feed, type FeedStatus } from './cache/feed.ts'
import {
  createDeliveryHandler,
  type DeliveryAddress,
  type DeliveryHandler,
} from './http/handler.ts'
import type { DeliveryCaches } from './cache/delivery-caches.ts'
import { createFreshnessWriter } from './disk/freshness-writer.ts'
import type { KeyUse } from './http/key-uses.ts'
import type { OnStream } from './http/answer.ts'
import { publishedSource } from './cache/published-source.ts'
import { createPublicKeys } from './cache/public-keys.ts'
import { createSecretBox } from './server/secret-box.ts'
import { createChangeSignal, type ChangeSignal } from './relay/change-signal.ts'
import { createRelayFeed } from './relay/create-relay-feed.ts'
import { createReplicaTarget } from './relay/replica-target.ts'
import type { ReplicaTarget } from './relay/upstream.ts'
import { createOrigin, type ReplicaFeed } from './relay/origin.ts'
import type { ServerRow } from './server/server-item.ts'
import { createSnapshotStore } from './cache/snapshot-store.ts'
import { createServing, type Serving } from './cache/serving.ts'
import { createAnswerSync, type AnswerSync } from './flagd-sync/answer-sync.ts'
import { createAcceptStream, type AcceptStream } from './fast/accept-stream.ts'

/** Describes a delivery for the readiness report and the metrics. */
export interface DeliveryStatus extends FeedStatus {
  /** Names the source of the snapshots in memory. */
  readonly loadedFrom: 'nothing' | 'disk' | 'database' | 'upstream'
  /** Names what feeds this node. */
  readonly source: 'database' | 'upstream'
  /**
   * Holds when the snapshots were last known to equal the database, if need be before the last start; `undefined` if
   * unknown.
   */
  readonly asOf: Date | undefined
  readonly snapshots: number
  /** Counts the open streams of the node. */
  readonly streams: number
  /** Tells that the disk has everything but what its next batch writes. */
  readonly isOnDisk: boolean
}

/**
 * Describes the role that serves configuration: snapshots and flags to API keys, from memory and without the database.
 */
export interface Delivery {
  /** Holds the given cache of API keys, wrapped so that every change is saved to disk too. Feed this one. */
  readonly keyCache: ApiKeyCache
  /** Loads the disk cache, then follows the database. A database that is down does not fail the start. */
  start(): Promise<void>
  /** Polls the database at once. Rejects when the database is down. */
  refresh(): Promise<void>
  /** Returns whether a node without a database has something that was signed after this moment of its own clock. */
  hasReadSince(moment: Date): boolean
  /** Waits for the polls that were asked for before the call. Returns whether what was announced before is served. */
  settled(): Promise<boolean>
  handlerFor(address: DeliveryAddress): DeliveryHandler
  /**
   * Receives the connections of the delivery's own address before node:http does. `onStream` is called with each that
   * becomes a stream.
   */
  acceptStream(onStream: OnStream): AcceptStream
  /** Returns the answers of flagd's sync service, for an address of its own. A request may take ten seconds to arrive. */
  answerSync(requestMs?: number): AnswerSync
  status(): DeliveryStatus
  /** Returns the keys that were used since the last call, and when. A key with an open stream counts as used. */
  takeKeyUses(): readonly KeyUse[]
  /** Resolves when the disk cache equals the memory. */
  flush(): Promise<void>
  /**
   * Prepares a stop: ends every stream with a `retry:` field, spread over `overMs`, and serves on. Connections end with
   * the answers under way.
   */
  drain(overMs: number): void
  /** Ends every stream with a `retry:` field, and opens no more. Connections end with the answers under way. */
  endStreams(): void
  /** Stops following the database. Resolves when everything is on disk. */
  close(): Promise<void>
}

/** Creates a delivery that serves nothing until `start()`. */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { store, now, keyCache } = deps
  const caches = createCaches(deps)
  const { browser, disk } = caches
  const target = createTarget(deps, caches)
  const relay = deps.upstream && createRelayFeed(deps, caches, { upstream: deps.upstream, target })
  const changes = createChangeSignal()
  const feed = relay ?? createPublishedFeed(deps, caches, changes)
  const source = relay === undefined ? 'database' : 'upstream'
  const serving = createServing(
    deps,
    caches,
    relay ?? createReplicaOrigin(deps, caches, { changes, feed }),
  )
  const { streams } = serving
  const listening: (() => void)[] = []
  const readAt = () => feed.status().readAt
  const freshnessWriter = createFreshnessWriter({
    readAt,
    save: (asOf) => disk.saveAsOf(asOf),
  })
  let fromDisk: FromDisk = nothingOnDisk
  const ageSeconds = () => secondsSince(readAt() ?? fromDisk.asOf, now())
  watchFigures(deps, { browser, disk, serving, ageSeconds })

  return {
    keyCache: savingKeyCache(keyCache, disk, changes),
    async start() {
      fromDisk = await loadFromDisk(deps, caches, target)
      if (fromDisk.mark !== undefined) relay?.restore(fromDisk.mark)
      listening.push(store.onAnnounce('snapshots', (announcement) => feed.wake(announcement)))
      feed.start()
      freshnessWriter.start()
    },
    refresh: () => feed.refresh(),
    hasReadSince: (moment) => relay?.hasReadSince(moment) ?? true,
    settled: () => feed.settled(),
    handlerFor: (address) => createDeliveryHandler(serving, address),
    acceptStream: (onStream) => createAcceptStream(serving, onStream),
    answerSync: (requestMs) => createAnswerSync(serving, browser, requestMs),
    status: () => ({
      ...toStatus(feed.status(), fromDisk, { source, disk }),
      snapshots: browser.size,
      streams: streams.sizeOfNode(),
    }),
    takeKeyUses: () => takeKeyUses(serving),
    flush: () => disk.flush(),
    ...createEnding(serving),
    async close() {
      for (const stop of listening) stop()
      changes.close()
      feed.close()
      streams.close()
      await freshnessWriter.close()
      await disk.flush()
    },
  }
}

function watchFigures(
  { metrics }: DeliveryDeps,
  {
    browser,
    disk,
    serving,
    ageSeconds,
  }: Pick<DeliveryCaches, 'browser' | 'disk'> & {
    readonly serving: Serving
    readonly ageSeconds: () => number | undefined
  },
): void {
  metrics.watchDelivery(() => ({
    snapshots: browser.size,
    ageSeconds: ageSeconds(),
    isOnDisk: !disk.hasFailed(),
    answers: serving.answerCounts.list(),
  }))
}

function createEnding(serving: Serving): Pick<Delivery, 'drain' | 'endStreams'> {
  return {
    drain(overMs) {
      serving.streams.drain(overMs)
      endConnections(serving)
    },
    endStreams() {
      serving.streams.close()
      endConnections(serving)
    },
  }
}

/** Lets the connections of the answers under way end with them. */
function endConnections({ unfinished }: Serving): void {
  for (const response of unfinished) response.shouldKeepAlive = false
}

function toStatus(
  read: FeedStatus,
  fromDisk: FromDisk,
  { source, disk }: Pick<DeliveryStatus, 'source'> & Pick<DeliveryCaches, 'disk'>,
): Omit<DeliveryStatus, 'snapshots' | 'streams'> {
  const unread = fromDisk.hasSnapshots ? 'disk' : 'nothing'
  const loadedFrom = read.readAt === undefined ? unread : source
  const goesOn = loadedFrom === 'nothing' ? '' : ' The node serves the snapshots in its memory.'
  const failure = read.failure && `${read.failure}${goesOn}`
  const asOf = read.readAt ?? fromDisk.asOf
  return { ...read, failure, source, loadedFrom, asOf, isOnDisk: !disk.hasFailed() }
}

function createCaches({ rootKeys, dataDir, log, readsDiskOnly }: DeliveryDeps): DeliveryCaches {
  const disk = createDiskCache({ dataDir, log })
  return {
    browser: createSnapshotStore<BrowserItem>(),
    server: createSnapshotStore<ServerRow>(),
    secrets: createSecretBox(rootKeys),
    publicKeys: createPublicKeys(),
    oldest: { browser: new Map(), server: new Map() },
    disk: readsDiskOnly === true ? createReadOnlyCache(disk) : disk,
  }
}

/** Notes a use for the key of every open stream, whether anything was sent or not. */
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

function createTarget(
  { keyCache, restoreKeyCache }: DeliveryDeps,
  caches: DeliveryCaches,
): ReplicaTarget {
  return createReplicaTarget({
    caches,
    keyCache,
    replaceKeys(saved) {
      restoreKeyCache(saved)
      caches.disk.saveKeyCache(() => keyCache.save())
    },
  })
}

function createPublishedFeed(
  { store, now, log }: DeliveryDeps,
  { browser, server, secrets, publicKeys, oldest, disk }: DeliveryCaches,
  changes: ChangeSignal,
): Feed {
  browser.onChange(() => changes.note())
  server.onChange(() => changes.note())
  return createFeed({
    source: publishedSource(store.delivery),
    browser: {
      ...disk.browser,
      snapshots: browser,
      toItem: toBrowserItem,
      forgetBefore(snapshotKey, version) {
        if (oldest.browser.get(snapshotKey) !== version) changes.note()
        oldest.browser.set(snapshotKey, version)
        disk.browser.forgetBefore(snapshotKey, version)
      },
    },
    server: {
      ...disk.server,
      snapshots: server,
      toItem: (row) => row,
      forgetBefore(snapshotKey, version) {
        if (oldest.server.get(snapshotKey) !== version) changes.note()
        oldest.server.set(snapshotKey, version)
        disk.server.forgetBefore(snapshotKey, version)
      },
    },
    applyDataKeys(rows) {
      if (!secrets.apply(rows)) return
      disk.saveDataKeys(() => secrets.save())
      changes.note()
    },
    applyPublicKeys(keys) {
      if (publicKeys.apply(keys)) disk.savePublicKeys(keys)
    },
    now,
    log,
  })
}

/** Returns what feeds relays; `undefined` where this process has no key to sign with. */
function createReplicaOrigin(
  { replicaSigner, keyCache, keysReadAt, now }: DeliveryDeps,
  { browser, server, secrets, oldest }: DeliveryCaches,
  { changes, feed }: { readonly changes: ChangeSignal; readonly feed: Pick<Feed, 'status'> },
): ReplicaFeed | undefined {
  if (replicaSigner === undefined) return undefined
  return createOrigin({
    signer: replicaSigner,
    browser,
    server,
    dataKeys: () => secrets.save(),
    keyCache,
    oldestOf: (audience, snapshotKey) => oldest[audience].get(snapshotKey) ?? 0,
    changes,
    now,
    asOf: keysReadAt && (() => earlier(feed.status().readAt, keysReadAt())),
  })
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one !== undefined && other !== undefined && other < one ? other : one
}

function savingKeyCache(
  keyCache: ApiKeyCache,
  disk: DeliveryCaches['disk'],
  changes: ChangeSignal,
): ApiKeyCache {
  const save = () => {
    disk.saveKeyCache(() => keyCache.save())
    changes.note()
  }
  return {
    ...keyCache,
    apply(rows) {
      keyCache.apply(rows)
      if (Object.values(rows).some((each) => each.length > 0)) save()
    },
    replace(rows) {
      keyCache.replace(rows)
      save()
    },
  }
}
