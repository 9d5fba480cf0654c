import { createApiKeyCache, type ApiKeyCache } from '../identity/key-cache/api-key-cache.ts'
import { createApiKeyFeed } from '../identity/key-cache/api-key-feed.ts'
import type { Announcement, Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import {
  toBrowserItem,
  type BrowserItem,
  type BrowserRow,
} from '../delivery/browser/browser-item.ts'
import type { FeedTarget } from '../delivery/cache/apply-versions.ts'
import { createFeed } from '../delivery/cache/feed.ts'
import type { SnapshotKey } from '../delivery/cache/published.ts'
import { publishedSource } from '../delivery/cache/published-source.ts'
import { createSnapshotStore } from '../delivery/cache/snapshot-store.ts'
import { createSecretBox } from '../delivery/server/secret-box.ts'
import type { ServerRow } from '../delivery/server/server-item.ts'
import type { ReplicaRecordsDeps } from '../delivery/relay/replica-records.ts'

/** Holds what a replica is made of, in memory and without a disk. Reads nothing until it is asked to. */
export interface ReplicaSource extends Omit<ReplicaRecordsDeps, 'signer' | 'versionOf'> {
  readonly keyCache: ApiKeyCache
  /** Reads what has changed. What was committed before the call is here afterwards. Rejects when the database is away. */
  refresh(): Promise<void>
  /** Reads everything the next time: announcements may have been missed. */
  wake(announcement: Announcement): void
  /** Counts the changes of anything here. */
  changes(): number
  /** Lists the public halves of the keys in force. */
  publicKeys(): readonly string[]
}

/** Describes the dependencies of `createReplicaSource`. */
export interface ReplicaSourceDeps {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  readonly now: () => Date
  readonly log: Log
}

/** Creates a source that is empty until it is refreshed. */
export function createReplicaSource({ store, now, log }: ReplicaSourceDeps): ReplicaSource {
  let changes = 0
  let publicKeys: readonly string[] = []
  const count = () => void (changes += 1)
  const browser = createSnapshotStore<BrowserItem>()
  const server = createSnapshotStore<ServerRow>()
  browser.onChange(count)
  server.onChange(count)
  const oldest = { browser: new Map<SnapshotKey, number>(), server: new Map<SnapshotKey, number>() }
  const forgetterOf = (versions: Map<SnapshotKey, number>) => ({
    keep() {},
    drop: (snapshotKey: SnapshotKey) => void versions.delete(snapshotKey),
    forgetBefore(snapshotKey: SnapshotKey, version: number) {
      if (versions.get(snapshotKey) === version) return
      versions.set(snapshotKey, version)
      count()
    },
  })
  // Opens nothing: it only holds the wrapped keys.
  const dataKeys = createSecretBox(() => [])
  const browserTarget: FeedTarget<BrowserRow, BrowserItem> = {
    ...forgetterOf(oldest.browser),
    snapshots: browser,
    toItem: toBrowserItem,
  }
  const feed = createFeed({
    source: publishedSource(store.delivery),
    browser: browserTarget,
    server: { ...forgetterOf(oldest.server), snapshots: server, toItem: (row: ServerRow) => row },
    applyDataKeys(rows) {
      if (dataKeys.apply(rows)) count()
    },
    applyPublicKeys(keys) {
      publicKeys = keys
    },
    now,
    log,
  })
  const keyCache = countingKeyCache(createApiKeyCache(), count)
  const keyFeed = createApiKeyFeed({ store, keyCache, log, now })
  return {
    browser,
    server,
    keyCache,
    dataKeys: () => dataKeys.save(),
    oldestOf: (audience, snapshotKey) => oldest[audience].get(snapshotKey) ?? 0,
    async refresh() {
      await Promise.all([feed.refresh(), keyFeed.refresh()])
    },
    wake: (announcement) => feed.wake(announcement),
    changes: () => changes,
    publicKeys: () => publicKeys,
  }
}

function countingKeyCache(keyCache: ApiKeyCache, count: () => void): ApiKeyCache {
  return {
    ...keyCache,
    apply(rows) {
      keyCache.apply(rows)
      if (Object.values(rows).some((each) => each.length > 0)) count()
    },
    replace(rows) {
      keyCache.replace(rows)
      count()
    },
  }
}
