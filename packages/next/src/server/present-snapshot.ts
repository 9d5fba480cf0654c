import { declaredDefaults, type AnyConfig } from '@signalbox/config'
import { ConfigError, type ConfigErrorCode } from '@signalbox/config/client'
import type { LoadedSnapshot } from './find-snapshot.ts'
import type { ConfigValue } from './snapshot-document.ts'

/** Describes where values came from, as plain data that may travel to a browser. */
export interface SnapshotStatus {
  /** Names the source. `persisted`: the last known values. `default`: only declared defaults. */
  readonly source: 'network' | 'persisted' | 'default'
  /** Says that the server could not be reached, or refused. */
  readonly stale: boolean
  /** Holds the reason. The full sentence is only in the server's log, because it may name internal addresses. */
  readonly error?: ConfigErrorCode
}

function statusOf({ source, error }: LoadedSnapshot): SnapshotStatus {
  return { source, stale: error !== undefined, ...(error && { error: error.code }) }
}

/** Returns the public part of a snapshot: the server's values over the defaults of the definition. Plain data. */
export function presentOpen(snapshot: LoadedSnapshot, config: AnyConfig | undefined): object {
  const { document } = snapshot
  return {
    version: document?.version ?? 0,
    ...(document && { schemaId: document.schemaId, environmentId: document.environmentId }),
    ...(document?.fetchedAt !== undefined && { fetchedAt: document.fetchedAt }),
    public: { ...withoutOptional(defaultsOf(config, 'public')), ...document?.public },
    featureFlags: { ...defaultsOf(config, 'featureFlags'), ...document?.featureFlags },
    status: statusOf(snapshot),
  }
}

/** Logs an error when the caller passes no `onError`. */
export function logFailure(error: unknown): void {
  const sentence = error instanceof ConfigError ? `${error.code}. ${error.message}` : String(error)
  // oxlint-disable-next-line no-console
  console.error(`Signalbox: ${sentence}`)
}

/** Returns the defaults that the validators of a tier declare. */
export function defaultsOf(
  config: AnyConfig | undefined,
  tier: keyof AnyConfig,
): Record<string, ConfigValue | undefined> {
  const none = { public: {}, secret: {}, featureFlags: {} }
  return { ...declaredDefaults({ ...none, [tier]: config?.[tier] ?? {} }) }
}

/** Returns the defaults that a browser goes on with: what the next snapshot would not say, this one does not say either. */
function withoutOptional(defaults: object): object {
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined))
}
