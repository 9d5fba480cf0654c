import type { OpenStore } from '../store/open-store.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { ReadinessCheck } from './readiness.ts'

/** Describes what readiness is checked of, besides the database. */
export interface ReadinessPorts {
  /** Returns whether the keys were read at least once. */
  readonly areKeysLoaded: () => boolean
  /** Describes the delivery; absent in a process without it. */
  readonly delivery: (() => ReadinessCheck) | undefined
}

/** Some scheduled jobs are added every minute, so after so long none is. */
const scheduledMaxSeconds = 600
/** Each process writes something every second. */
const writtenMaxSeconds = 10

/** Checks what this process needs to serve. Migrations and queues are always in place: a process without them does not start. */
export async function checkReadiness(
  {
    store,
    jobs,
  }: {
    readonly store: Pick<OpenStore, 'check' | 'newerMigration'>
    readonly jobs: Pick<Jobs, 'scheduledAgeSeconds' | 'writtenAgeSeconds'>
  },
  { areKeysLoaded, delivery }: ReadinessPorts,
): Promise<Record<string, ReadinessCheck>> {
  const storage = await store.check()
  const keys = areKeysLoaded()
  return {
    storage: describeWrites(storage, jobs.writtenAgeSeconds()),
    migrations: describeMigrations(store.newerMigration),
    queue: describeQueue(storage.ok, jobs.scheduledAgeSeconds()),
    keys: { ok: keys, detail: keys ? 'API keys are in memory.' : 'API keys are not read yet.' },
    ...(delivery !== undefined && { delivery: delivery() }),
  }
}

/** A database whose writes wait answers reads, and takes the writes when what they wait for is there. */
function describeWrites(storage: ReadinessCheck, ageSeconds: number): ReadinessCheck {
  if (!storage.ok || ageSeconds <= writtenMaxSeconds) return storage
  const detail = `${storage.detail} It has finished no write of this process for ${ageSeconds} s: look at its locks, and whether its synchronous standby is away.`
  return { ok: true, detail, warning: true }
}

/** A node whose worker is away can answer requests, so it stays ready. */
function describeQueue(isStored: boolean, ageSeconds: number): ReadinessCheck {
  if (!isStored) return { ok: false, detail: 'Jobs wait for the database.' }
  if (ageSeconds <= scheduledMaxSeconds)
    return {
      ok: true,
      detail: `Jobs can run. The last scheduled one was added ${ageSeconds} s ago.`,
    }
  const detail = `No scheduled job has been added for ${ageSeconds} s: nothing is healed, polled, renewed or deleted. Start a process with the role \`worker\`, and look at its log.`
  return { ok: true, detail, warning: true }
}

function describeMigrations(newer: string | undefined): ReadinessCheck {
  if (newer === undefined) return { ok: true, detail: 'The database schema is up to date.' }
  const detail = `A newer release has migrated the database (${newer}). This one can work with it: update this node.`
  return { ok: true, detail, warning: true }
}
