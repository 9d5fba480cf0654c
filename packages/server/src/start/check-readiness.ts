import type { Delivery } from '../delivery/delivery.ts'
import type { ApiKeyFeed } from '../identity/key-cache/api-key-feed.ts'
import type { ReadinessCheck } from '../operation/readiness.ts'
import type { Store } from '../store/store.ts'

export interface CheckReadiness {
  readonly store: Pick<Store, 'check'>
  readonly keyFeed: Pick<ApiKeyFeed, 'isLoaded'>
  readonly delivery: Pick<Delivery, 'status'> | undefined
  readonly now: () => Date
}

/** How the things stand that this process needs to serve. Migrations and queue were brought up at the start, or it had not started. */
export async function checkReadiness({
  store,
  keyFeed,
  delivery,
  now,
}: CheckReadiness): Promise<Record<string, ReadinessCheck>> {
  const storage = await store.check()
  const keys = keyFeed.isLoaded()
  return {
    storage,
    migrations: { ok: true, detail: 'The database schema is up to date.' },
    queue: {
      ok: storage.ok,
      detail: storage.ok ? 'Jobs can run.' : 'Jobs wait for the database.',
    },
    keys: { ok: keys, detail: keys ? 'Keys are checked in memory.' : 'Keys are not read yet.' },
    ...(delivery !== undefined && { delivery: describe(delivery, now()) }),
  }
}

function describe(delivery: Pick<Delivery, 'status'>, now: Date): ReadinessCheck {
  const { loadedFrom, snapshots, asOf, fault } = delivery.status()
  const ageSeconds = asOf && Math.round((now.getTime() - asOf.getTime()) / 1000)
  const age = ageSeconds === undefined ? 'of unknown age' : `${ageSeconds} s old`
  const count = snapshots === 1 ? '1 snapshot' : `${snapshots} snapshots`
  return {
    ok: loadedFrom !== 'nothing',
    detail: `${count} from ${loadedFrom}, ${age}${fault === undefined ? '' : `; ${fault}`}`,
  }
}
