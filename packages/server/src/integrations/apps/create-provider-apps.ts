import type { ProviderApplication } from '../../providers/context.ts'
import { findProvider } from '../../providers/find-provider.ts'
import { createPollLoop } from '../../store/follow/poll-loop.ts'
import type { Store } from '../../store/store.ts'
import type { Log } from '../../telemetry/log.ts'
import type { ServerKeys } from '../../vault/server-keys.ts'
import { listProviderAppRows, readProviderAppRevisions } from './provider-app-rows.ts'
import { openApp } from './sealed-app.ts'
import { applicationAt, type StoredApplication } from './stored-application.ts'

/** Describes the applications of this server as one node knows them. */
export interface ProviderAppsFeed {
  /** Returns the application in force now at a provider, by its name. The same object as long as nothing changes. */
  readonly find: (provider: string) => ProviderApplication | undefined
  /**
   * Reads immediately, so that it finds everything that was committed before the call. Called once before the API
   * listens. Rejects when the database is away.
   */
  refresh(): Promise<void>
  close(): void
}

/** Lists what knowing the applications needs. */
export interface ProviderAppsFeedDeps {
  readonly store: Pick<Store, 'maintenance' | 'onAnnounce'>
  readonly keys: ServerKeys
  /** Holds the applications of the settings, which override the stored ones. */
  readonly settings: Readonly<Record<string, ProviderApplication>>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly now: () => Date
  /** Default 10,000: an announcement may be lost. */
  readonly intervalMs?: number
}

/** By the names of their providers. */
type StoredApplications = ReadonlyMap<string, StoredApplication>

/** Opens what knows the applications, and begins to follow the other nodes. */
export function createProviderApps(deps: ProviderAppsFeedDeps): ProviderAppsFeed {
  const { store, settings, log, now, intervalMs = 10_000 } = deps
  let stored: StoredApplications = new Map()
  let revisions: string | undefined
  let merged = { of: stored, until: 0, applications: mergeAt(settings, stored, now()) }

  const poll = async () => {
    const read = await readStored(deps, revisions)
    if (read === undefined) return
    stored = read.applications
    revisions = read.revisions
  }
  const loop = createPollLoop({ poll, feature: 'applications at providers', intervalMs, log })
  const stopListening = store.onAnnounce('providers', () => loop.wake())
  loop.start()
  return {
    find(provider) {
      const at = now()
      if (merged.of !== stored || at.getTime() >= merged.until) {
        const until = nextEnd(stored, at)
        merged = { of: stored, until, applications: mergeAt(settings, stored, at) }
      }
      return merged.applications.get(provider)
    },
    refresh: () => loop.refresh(),
    close() {
      stopListening()
      // Not waited for: a database that hangs holds up no stop.
      void loop.close()
    },
  }
}

/** Returns the applications in force: those of the settings, and of the others what is stored. */
function mergeAt(
  settings: ProviderAppsFeedDeps['settings'],
  stored: StoredApplications,
  now: Date,
): ReadonlyMap<string, ProviderApplication> {
  const inForce = [...stored].map(([name, each]) => [name, applicationAt(each, now)] as const)
  return new Map([...inForce, ...Object.entries(settings)])
}

/** `undefined`: nothing has changed. */
function readStored(
  { store, keys, log }: ProviderAppsFeedDeps,
  known: string | undefined,
): Promise<{ readonly applications: StoredApplications; readonly revisions: string } | undefined> {
  return store.maintenance(async (tx) => {
    const revisions = await readProviderAppRevisions(tx)
    if (revisions === known) return undefined
    const rows = await listProviderAppRows(tx)
    if (rows.length === 0) return { applications: new Map(), revisions }
    const sealer = await keys.getSealer(tx)
    const applications = rows.flatMap((row) => {
      // This row is of a provider that this version does not have.
      const provider = findProvider(row.provider)
      if (provider === undefined) return []
      try {
        return [[row.provider, openApp(sealer, provider, row.sealed)] as const]
      } catch (error) {
        // The others work, and this one is shown as not set up.
        log.warn('Could not open the stored application of a provider', {
          feature: row.provider,
          error,
        })
        return []
      }
    })
    return { applications: new Map(applications), revisions }
  })
}

/** When the next replaced secret ends, in ms. */
function nextEnd(stored: StoredApplications, now: Date): number {
  const ends = [...stored.values()]
    .flatMap(({ previousSecret }) => previousSecret?.until.getTime() ?? [])
    .filter((end) => end > now.getTime())
  return Math.min(Number.POSITIVE_INFINITY, ...ends)
}
