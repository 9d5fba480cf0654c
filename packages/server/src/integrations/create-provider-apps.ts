import type { Store } from '../store/store.ts'
import type { ServerKeys } from '../vault/server-keys.ts'
import { mergeApps, type StoredApp } from './provider-app.ts'
import { listProviderAppRows, readProviderAppRevisions } from './provider-app-rows.ts'
import type { ProviderApps } from './provider-apps.ts'
import { openApp } from './sealed-app.ts'

/** The applications of this server as one node knows them. */
export interface ProviderAppsFeed {
  /** Those in force now. The same object as long as nothing changes. */
  apps(): ProviderApps
  /**
   * Looks at once. What was committed before the call is in `apps` afterwards. Called once before the API listens.
   * Rejects when the database is away.
   */
  refresh(): Promise<void>
  close(): void
}

export interface ProviderAppsFeedDeps {
  readonly store: Pick<Store, 'maintenance' | 'onAnnounce'>
  readonly keys: ServerKeys
  /** Of the settings, which count before what is stored. */
  readonly settings: ProviderApps
  readonly log: { warn(message: string, fields: { readonly error: unknown }): void }
  readonly now: () => Date
  /** Default 10,000: an announcement may be lost. */
  readonly intervalMs?: number
}

/** Opens what knows the applications, and begins to follow the other nodes. */
export function createProviderApps(deps: ProviderAppsFeedDeps): ProviderAppsFeed {
  const { store, settings, log, now, intervalMs = 10_000 } = deps
  let stored: readonly StoredApp[] = []
  let seen: string | undefined
  let merged = { of: stored, until: 0, apps: mergeApps(settings, stored, now()) }

  const look = async () => {
    const found = await readStored(deps, seen)
    if (found === undefined) return
    stored = found.apps
    seen = found.revisions
  }
  // One look after the other: an older answer never takes the place of a newer one.
  let last: Promise<void> = Promise.resolve()
  const refresh = () => {
    last = last.catch(() => undefined).then(look)
    return last
  }
  const lookAndReport = () =>
    void refresh().catch((error: unknown) =>
      log.warn('Applications at providers could not be read', { error }),
    )
  const stopListening = store.onAnnounce('providers', lookAndReport)
  const timer = setInterval(lookAndReport, intervalMs).unref()
  return {
    apps() {
      const at = now()
      if (merged.of !== stored || at.getTime() >= merged.until) {
        merged = { of: stored, until: nextEnd(stored, at), apps: mergeApps(settings, stored, at) }
      }
      return merged.apps
    },
    refresh,
    close() {
      clearInterval(timer)
      stopListening()
    },
  }
}

/** `undefined`: nothing has changed. */
function readStored(
  { store, keys, log }: ProviderAppsFeedDeps,
  seen: string | undefined,
): Promise<{ readonly apps: readonly StoredApp[]; readonly revisions: string } | undefined> {
  return store.maintenance(async (tx) => {
    const revisions = await readProviderAppRevisions(tx)
    if (revisions === seen) return undefined
    const rows = await listProviderAppRows(tx)
    if (rows.length === 0) return { apps: [], revisions }
    const sealer = await keys.getSealer(tx)
    const apps = rows.flatMap((row) => {
      try {
        return [openApp(sealer, row)]
      } catch (error) {
        // The others work, and this one is shown as not set up.
        log.warn(`The stored application of ${row.provider} cannot be opened`, { error })
        return []
      }
    })
    return { apps, revisions }
  })
}

/** When the next replaced secret ends, in ms. */
function nextEnd(stored: readonly StoredApp[], now: Date): number {
  const ends = stored
    .flatMap((app) => (app.provider === 'jira' ? [] : (app.previousSecret?.until.getTime() ?? [])))
    .filter((end) => end > now.getTime())
  return Math.min(Number.POSITIVE_INFINITY, ...ends)
}
