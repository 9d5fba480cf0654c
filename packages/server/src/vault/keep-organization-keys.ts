import type { OpenStore } from '../store/open-store.ts'
import type { Log } from '../telemetry/log.ts'
import type { RootKeys } from './open-root-keys.ts'
import { createOrganizationKeys, type OrganizationKeys } from './organization-keys.ts'

const flushSealCountsEveryMs = 60_000

/** Describes the dependencies of `keepOrganizationKeys`. */
export interface KeepKeysDeps {
  readonly store: Pick<OpenStore, 'maintenance'>
  readonly rootKeys: RootKeys
  /** Registers a function to call when the process ends. */
  readonly closing: { push(close: () => Promise<void>): void }
  readonly log: Pick<Log, 'warn'>
  readonly now: () => Date
}

/**
 * Opens the keys of the organizations. Stores each minute how often each has sealed, so that it is replaced long before that
 * is too often.
 */
export function keepOrganizationKeys(deps: KeepKeysDeps): OrganizationKeys {
  const { closing, log } = deps
  const keys = createOrganizationKeys(deps)
  const timer = setInterval(() => {
    keys
      .flushSealCounts()
      .catch((error: unknown) => log.warn('Could not store how often keys were used', { error }))
  }, flushSealCountsEveryMs).unref()
  closing.push(async () => {
    clearInterval(timer)
    await keys.flushSealCounts().catch(() => {})
  })
  return keys
}
