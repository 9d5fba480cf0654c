import type { Statement, Store } from '../store/store.ts'

/** Rows that have done their work, and when they go. */
interface Expiry {
  readonly name: string
  readonly table: string
  /** What may go, by `$1`, the moment from which on everything is kept. */
  readonly expired: string
  readonly keptMs: number
}

const hourMs = 3600 * 1000
const dayMs = 24 * hourMs

const expiries: readonly Expiry[] = [
  {
    // A repeat within a day is answered with the first result (draft-ietf-httpapi-idempotency-key-header §2.6).
    name: 'idempotency-keys',
    table: 'idempotency_keys',
    expired: 'created_at < $1',
    keptMs: dayMs,
  },
  {
    // Long after every node has noticed that a pair of schema and environment is gone.
    name: 'browser-tombstones',
    table: 'browser_snapshots',
    expired: 'body is null and created_at < $1',
    keptMs: 7 * dayMs,
  },
  {
    name: 'server-tombstones',
    table: 'server_snapshots',
    expired: 'body is null and created_at < $1',
    keptMs: 7 * dayMs,
  },
  {
    // GitHub sends again what is up to three days old: until then its id has to be known.
    name: 'webhook-deliveries',
    table: 'webhook_deliveries',
    expired: 'received_at < $1',
    keptMs: 30 * dayMs,
  },
  {
    // For a day, whoever comes back too late is told so.
    name: 'oauth-states',
    table: 'oauth_states',
    expired: 'expires_at < $1',
    keptMs: dayMs,
  },
  {
    name: 'oidc-attempts',
    table: 'oidc_attempts',
    expired: 'expires_at < $1',
    keptMs: dayMs,
  },
  {
    // For a day, a device that comes too late is told so.
    name: 'device-authorizations',
    table: 'device_authorizations',
    expired: 'expires_at < $1',
    keptMs: dayMs,
  },
  {
    // Whoever invited sees for a month that nobody came in time.
    name: 'invitations',
    table: 'invitations',
    expired: 'expires_at < $1',
    keptMs: 30 * dayMs,
  },
  {
    // Messages that somebody deleted, or that the chat took no more. Those that stand are still changed.
    name: 'notifications',
    table: 'notifications',
    expired: `state in ('broken', 'gone') and updated_at < $1`,
    keptMs: 90 * dayMs,
  },
  {
    name: 'dead-jobs',
    table: 'dead_jobs',
    expired: 'failed_at < $1',
    keptMs: 30 * dayMs,
  },
]

/** As many rows as one transaction removes: whoever needs them otherwise waits for it. */
const batchMax = 1_000

function toStatement(
  { name, table, expired, keptMs }: Expiry,
  now: Date,
  limit: number,
): Statement {
  return {
    name: `purge-${name}`,
    text: `delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${expired} limit $2)) returning 1`,
    values: [new Date(now.getTime() - keptMs), limit],
  }
}

/** Removes rows that have done their work, some at a time. Safe to repeat and to interrupt. */
export async function purgeExpired({
  store,
  now,
  batch = batchMax,
}: {
  readonly store: Pick<Store, 'maintenance'>
  readonly now: () => Date
  /** Fewer in tests. */
  readonly batch?: number
}): Promise<void> {
  for (const expiry of expiries) {
    const statement = toStatement(expiry, now(), batch)
    let removed = batch
    while (removed === batch) {
      removed = (await store.maintenance((tx) => tx.query(statement))).length
    }
  }
}
