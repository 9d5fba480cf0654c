import type { AnyConfig, Registered } from '@signalbox/config'
import type { ConfigError, InitialValues } from '@signalbox/config/client'
import { Secrets } from '@signalbox/config/server'
import { cache } from 'react'
import { resolveSource, snapshotAddress, type ConfigSource } from './config-source.ts'
import { findSnapshot } from './find-snapshot.ts'
import { defaultsOf, logFailure, presentOpen, type SnapshotStatus } from './present-snapshot.ts'

/** Describes what `getServerConfig` reads. */
export interface GetServerConfigOptions<C extends AnyConfig = Registered> extends ConfigSource {
  /** The definition, whose defaults answer for what the server has no value for. */
  readonly config?: C | undefined
  /** Hears of every failure. Default: one line in the log. */
  readonly onError?: ((error: ConfigError) => void) | undefined
}

/** Holds all values of one version. It cannot be passed to a client component: React refuses `secret`. */
export type ServerConfig<C extends AnyConfig = Registered> = InitialValues<C> & {
  readonly secret: Secrets<C>
  readonly status: SnapshotStatus
}

// For the whole request, not only the head of the answer: nothing is shared that a signal would separate.
const limitMs = 2_000

/** Once for a render, however many components ask. */
const find = cache((url: string, token: string, onError: (error: ConfigError) => void) =>
  findSnapshot({
    key: `${url} ${token}`,
    onError,
    ask: () =>
      fetch(url, {
        // Never in the cache of Next.js, which is a directory on a disk.
        cache: 'no-store',
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(limitMs),
      }),
  }),
)

/**
 * Reads all values of an environment, secrets too, in a server component, a route handler or an action. A route that does
 * so is dynamic. Waits and answers as `getConfig` does.
 *
 * @throws {ConfigError} `invalid` for an option that is missing.
 */
export function getServerConfig<C extends AnyConfig = Registered>(
  options: GetServerConfigOptions<C>,
): Promise<ServerConfig<C>>
export async function getServerConfig(options: GetServerConfigOptions): Promise<object> {
  const { config, onError = logFailure } = options
  const configSource = resolveSource(options, 'server')
  const snapshot = await find(snapshotAddress(configSource), configSource.apiKey, onError)
  const secret = { ...defaultsOf(config, 'secret'), ...snapshot.document?.secret }
  return { ...presentOpen(snapshot, config), secret: new Secrets(secret) }
}
