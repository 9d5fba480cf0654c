import type { Store } from '../store/store.ts'

/** A repeat within a day is answered with the first result (draft-ietf-httpapi-idempotency-key-header §2.6). */
const idempotencyRetention = '24 hours'
/** Long after every node has noticed that a pair of schema and environment is gone. */
const tombstoneRetention = '7 days'

const statements = [
  {
    name: 'purge-idempotency-keys',
    text: 'delete from idempotency_keys where created_at < now() - $1::interval',
    values: [idempotencyRetention],
  },
  {
    name: 'purge-browser-tombstones',
    text: 'delete from browser_snapshots where body is null and created_at < now() - $1::interval',
    values: [tombstoneRetention],
  },
  {
    name: 'purge-server-tombstones',
    text: 'delete from server_snapshots where body is null and created_at < now() - $1::interval',
    values: [tombstoneRetention],
  },
] as const

/** Removes rows that have done their work. Repeat-safe. */
export async function purgeExpired({
  store,
}: {
  readonly store: Pick<Store, 'maintenance'>
}): Promise<void> {
  for (const statement of statements) await store.maintenance((tx) => tx.query(statement))
}
