import type { OpenStore } from '../store/open-store.ts'
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
  { store }: { readonly store: Pick<OpenStore, 'check' | 'newerMigration'> },
  { areKeysLoaded, delivery }: ReadinessPorts,
): Promise<Record<string, ReadinessCheck>> {
  const storage = await store.check()
  const keys = areKeysLoaded()
  return {
    storage,
    migrations: describeMigrations(store.newerMigration),
    queue: {
      ok: storage.ok,
      detail: storage.ok ? 'Jobs can run.' : 'Jobs wait for the database.',
    },
    keys: { ok: keys, detail: keys ? 'API keys are in memory.' : 'API keys are not read yet.' },
    ...(delivery !== undefined && { delivery: delivery() }),
  }
}

function describeMigrations(newer: string | undefined): ReadinessCheck {
  if (newer === undefined) return { ok: true, detail: 'The database schema is up to date.' }
  const detail = `A newer release has migrated the database (${newer}). This one can work with it: update this node.`
  return { ok: true, detail, warning: true }
}
