import type { Store } from '../store/store.ts'
import type { ReadinessCheck } from './readiness.ts'

/** Describes what readiness is checked of, besides the database. */
export interface ReadinessPorts {
  /** Returns whether the keys were read at least once. */
  readonly areKeysLoaded: () => boolean
  /** Describes the delivery; absent in a process without it. */
  readonly delivery: (() => ReadinessCheck) | undefined
}

/** Checks what this process needs to serve. Migrations and queues are always in place: a process without them does not start. */
export async function checkReadiness(
  { store }: { readonly store: Pick<Store, 'check'> },
  { areKeysLoaded, delivery }: ReadinessPorts,
): Promise<Record<string, ReadinessCheck>> {
  const storage = await store.check()
  const keys = areKeysLoaded()
  return {
    storage,
    migrations: { ok: true, detail: 'The database schema is up to date.' },
    queue: {
      ok: storage.ok,
      detail: storage.ok ? 'Jobs can run.' : 'Jobs wait for the database.',
    },
    keys: { ok: keys, detail: keys ? 'API keys are in memory.' : 'API keys are not read yet.' },
    ...(delivery !== undefined && { delivery: delivery() }),
  }
}
