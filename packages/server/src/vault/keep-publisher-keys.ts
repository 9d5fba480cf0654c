import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { RootKeys } from './open-root-keys.ts'
import { openPublisherKeys, type PublisherKeys } from './publisher-keys.ts'

const refreshEveryMs = 30_000

export interface KeepPublisherKeysDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly rootKeys: RootKeys
  /** Registers a function to call when the process ends. */
  readonly closing: { push(close: () => void): void }
  readonly log: Pick<Log, 'warn'>
}

/** Opens the publisher keys, and reads them again every 30 seconds: a command adds and retires them beside the service. */
export async function keepPublisherKeys(deps: KeepPublisherKeysDeps): Promise<PublisherKeys> {
  const { closing, log } = deps
  const keys = await openPublisherKeys(deps)
  const timer = setInterval(() => {
    keys
      .refresh()
      .catch((error: unknown) => log.warn('Could not read the publisher keys', { error }))
  }, refreshEveryMs).unref()
  closing.push(() => clearInterval(timer))
  return keys
}
