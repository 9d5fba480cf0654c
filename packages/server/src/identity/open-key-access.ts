import type { Store } from '../store/store.ts'
import { createSharedPoll } from '../store/follow/shared-poll.ts'
import type { Log } from '../telemetry/log.ts'
import { createApiKeyCache, type ApiKeyCache } from './key-cache/api-key-cache.ts'
import { createApiKeyFeed, type ApiKeyFeed } from './key-cache/api-key-feed.ts'
import { parseApiKeyRows } from './key-cache/saved-api-keys.ts'
import { createTokenVerifier, type ReadNewKeys, type TokenVerifier } from './verify-token.ts'

/** Checks API keys in memory, without a question to the database. */
export interface KeyAccess {
  readonly keyCache: ApiKeyCache
  readonly verifier: TokenVerifier
  /** Takes what was saved to disk before the last stop. Throws when it is malformed. */
  readonly restore: (saved: unknown) => void
  /** Returns the moment up to which everything is in the cache that was committed; `undefined` before the first read. */
  readonly readAt: () => Date | undefined
  /** Opens what keeps a cache equal to the database: this one, or the same with its copy on disk. */
  readonly follow: (keyCache: ApiKeyCache) => ApiKeyFeed
}

/** Describes the dependencies of `openKeyAccess`. */
export interface KeyAccessDeps {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly now: () => Date
  /** Brings the cache up to date where no database does. Default: reads the database. */
  readonly readNewKeys?: ReadNewKeys
}

/** Limits what a flood of wrong keys costs the database, and how long a key that is unknown here waits. */
const newKeyLimits = { spacingMs: 100, limitMs: 2_000 }

/** Opens an empty cache of API keys. Its feed, or its copy on disk, fills it. */
export function openKeyAccess({ store, log, now, readNewKeys }: KeyAccessDeps): KeyAccess {
  const keyCache = createApiKeyCache()
  let feed: ApiKeyFeed | undefined
  const readDatabase = createSharedPoll(async () => feed?.refresh(), newKeyLimits)
  return {
    keyCache,
    verifier: createTokenVerifier({ keyCache, readNewKeys: readNewKeys ?? readDatabase, now }),
    restore: (saved) => keyCache.replace(parseApiKeyRows(saved)),
    readAt: () => feed?.readAt(),
    follow: (followed) => (feed = createApiKeyFeed({ store, keyCache: followed, log, now })),
  }
}
