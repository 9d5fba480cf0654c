import { followChanges } from '../../store/follow/follow-changes.ts'
import type { Store } from '../../store/store.ts'
import type { Log } from '../../telemetry/log.ts'
import type { ApiKeyCache } from './api-key-cache.ts'
import { parseApiKeyRows } from './saved-api-keys.ts'

/** Keeps a cache of API keys equal to the database. */
export interface ApiKeyFeed {
  /** Polls immediately. Afterwards the cache holds everything that was committed before the call. Rejects when the database is away. */
  refresh(): Promise<void>
  /** Waits for the polls that were asked for before the call. Returns whether what was announced before is known. */
  settled(): Promise<boolean>
  /** Polls every second and after every announcement, and keeps polling while the database is away. */
  start(): void
  /** Returns whether everything was read at least once since the start. */
  isLoaded(): boolean
  /** Returns when the last read began: what was committed before is in the cache. `undefined` before the first one. */
  readAt(): Date | undefined
  close(): void
}

/** Describes the dependencies of `createApiKeyFeed`. */
export interface ApiKeyFeedDeps {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  readonly keyCache: ApiKeyCache
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly now: () => Date
  /** Default 1,000. A revocation reaches every node within twice this. */
  readonly intervalMs?: number
  /** Counts the polls after which everything is read again, so that no mistake lasts. Default 600. */
  readonly pollsPerReload?: number
}

const changesSql = `
select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, json_build_object(
  'organizations', (select coalesce(json_agg(json_build_object('id', id, 'slug', slug, 'name', name,
    'deletedAt', deleted_at)), '[]') from organizations where changed_in >= $1::text::xid8),
  'keys', (select coalesce(json_agg(json_build_object('orgId', org_id, 'id', id, 'name', name, 'kind', kind,
    'access', access, 'environmentIds', environment_ids, 'schemaIds', schema_ids, 'allowedOrigins', allowed_origins,
    'allowedNetworks', allowed_networks,
    'expiresAt', expires_at, 'revokedAt', revoked_at)), '[]') from api_keys where changed_in >= $1::text::xid8),
  'secrets', (select coalesce(json_agg(json_build_object('orgId', org_id, 'keyId', key_id, 'handle', handle,
    'hash', encode(hash, 'base64'), 'expiresAt', expires_at)), '[]') from api_key_secrets where changed_in >= $1::text::xid8),
  'signingKeys', (select coalesce(json_agg(json_build_object('id', id, 'publicJwk', public_jwk,
    'retired', coalesce(retired_at < now() - interval '15 minutes', false))), '[]')
    from signing_keys where changed_in >= $1::text::xid8)
) as rows`

/** Creates a feed that reads nothing until it is started or asked to. */
export function createApiKeyFeed(deps: ApiKeyFeedDeps): ApiKeyFeed {
  const { store, keyCache, log, now, intervalMs = 1_000, pollsPerReload = 600 } = deps
  let readAt: Date | undefined
  const follower = followChanges({
    feature: 'API keys',
    log,
    intervalMs,
    pollsPerWholeRead: pollsPerReload,
    async read(since = 0n) {
      const begunAt = now()
      const [row] = await store.delivery.query<{ xmin: string; rows: unknown }>({
        name: 'key-cache-changes',
        text: changesSql,
        values: [String(since)],
      })
      if (row === undefined) throw new Error('The statement answers one row')
      const rows = parseApiKeyRows(row.rows)
      return {
        xmin: BigInt(row.xmin),
        apply(isWhole) {
          if (isWhole) keyCache.replace(rows)
          else keyCache.apply(rows)
          readAt = begunAt
        },
      }
    },
  })
  let stopListening: (() => void) | undefined
  return {
    refresh: () => follower.refresh(),
    settled: () => follower.settled(),
    start() {
      stopListening = store.onAnnounce('credentials', (announcement) => follower.wake(announcement))
      follower.start()
    },
    isLoaded: () => readAt !== undefined,
    readAt: () => readAt,
    close() {
      stopListening?.()
      // Not awaited: a database that hangs must not delay the stop.
      void follower.close()
    },
  }
}
