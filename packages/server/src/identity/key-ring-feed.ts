import type { Store } from '../store/store.ts'
import type { KeyRing } from './key-ring.ts'
import { parseRingRows } from './saved-key-ring.ts'

/** Keeps a key ring equal to the database. */
export interface KeyRingFeed {
  /** Looks at once. What was committed before the call is in the ring afterwards. Rejects when the database is away. */
  refresh(): Promise<void>
  /** Begins to look every second and after every announcement, and goes on while the database is away. */
  start(): void
  /** Whether everything was read at least once since the start. */
  isLoaded(): boolean
  close(): void
}

export interface KeyRingFeedDeps {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  readonly ring: KeyRing
  readonly log: { warn(message: string, fields: { readonly error: unknown }): void }
  /** Default 1,000. A revocation reaches every node within twice this. */
  readonly intervalMs?: number
  /** After how many looks everything is read again, so that no mistake lasts. Default 600. */
  readonly looksPerReload?: number
}

/**
 * One statement sees one moment. Rows of transactions that were still open at that moment carry a number that is
 * not below `horizon`, so asking for those from the last horizon on never misses one; some come twice.
 */
const changesSql = `
select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, json_build_object(
  'organizations', (select coalesce(json_agg(json_build_object('id', id, 'slug', slug, 'name', name,
    'deletedAt', deleted_at)), '[]') from organizations where changed_in >= $1::text::xid8),
  'keys', (select coalesce(json_agg(json_build_object('orgId', org_id, 'id', id, 'name', name, 'kind', kind,
    'environmentIds', environment_ids, 'schemaIds', schema_ids, 'allowedOrigins', allowed_origins,
    'expiresAt', expires_at, 'revokedAt', revoked_at)), '[]') from api_keys where changed_in >= $1::text::xid8),
  'secrets', (select coalesce(json_agg(json_build_object('orgId', org_id, 'keyId', key_id, 'handle', handle,
    'hash', encode(hash, 'base64'), 'expiresAt', expires_at)), '[]') from api_key_secrets where changed_in >= $1::text::xid8),
  'signingKeys', (select coalesce(json_agg(json_build_object('id', id, 'publicJwk', public_jwk,
    'retired', coalesce(retired_at < now() - interval '15 minutes', false))), '[]')
    from signing_keys where changed_in >= $1::text::xid8)
) as rows`

/** Opens a feed. Reads nothing until it is started or asked to. */
export function createKeyRingFeed(deps: KeyRingFeedDeps): KeyRingFeed {
  const { store, ring, log, intervalMs = 1_000, looksPerReload = 600 } = deps
  let horizon = 0n
  let looks = 0
  let distrusted = false
  let loaded = false

  const readSince = async (since: bigint) => {
    const [found] = await store.delivery.query<{ horizon: string; rows: unknown }>({
      name: 'key-ring-changes',
      text: changesSql,
      values: [String(since)],
    })
    return found
  }
  const look = async (): Promise<void> => {
    const whole = distrusted || looks % looksPerReload === 0
    // Said again during this look, it holds for the next one.
    distrusted = false
    const found = await readSince(whole ? 0n : horizon).catch((error: unknown) => {
      distrusted ||= whole
      throw error
    })
    if (found === undefined) return
    const rows = parseRingRows(found.rows)
    // A smaller number than before: another database stands where the first one was.
    const moved = BigInt(found.horizon) < horizon
    horizon = moved ? 0n : BigInt(found.horizon)
    looks = moved ? 0 : looks + 1
    if (whole) ring.replace(rows)
    else ring.apply(rows)
    loaded = true
  }
  const looker = createLooker(look)

  let timer: NodeJS.Timeout | undefined
  let stopListening: (() => void) | undefined
  let closed = false
  const lookAndReport = () =>
    looker().catch((error: unknown) => log.warn('API keys could not be read', { error }))
  const tick = async () => {
    await lookAndReport()
    if (!closed) timer = setTimeout(() => void tick(), intervalMs).unref()
  }
  return {
    refresh: looker,
    start() {
      stopListening = store.onAnnounce('credentials', (hint) => {
        if (hint === 'joined') distrusted = true
        void lookAndReport()
      })
      void tick()
    },
    isLoaded: () => loaded,
    close() {
      closed = true
      clearTimeout(timer)
      stopListening?.()
    },
  }
}

/** Runs one look at a time. Whoever asks during one gets the next, because the one under way may have seen too little. */
function createLooker(look: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined
  const begin = () => {
    current = look().finally(() => {
      current = undefined
    })
    return current
  }
  return () => {
    if (current === undefined) return begin()
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined
        return begin()
      })
    return next
  }
}
