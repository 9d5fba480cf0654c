import type { AnyConfig, Registered } from '@signalbox/config'
import type { ConfigError, InitialValues } from '@signalbox/config/client'
import { Secrets } from '@signalbox/config/server'
import { cache } from 'react'
import {
  describeSource,
  resolveSource,
  snapshotAddress,
  type ConfigSource,
} from './config-source.ts'
import { findSnapshot, type LoadedSnapshot } from './find-snapshot.ts'
import { defaultsOf, logFailure, presentOpen, type SnapshotStatus } from './present-snapshot.ts'
import { snapshotOfTest } from './test-snapshot.ts'

/** Describes what `getServerConfig` reads. */
export interface GetServerConfigOptions<C extends AnyConfig = Registered> extends ConfigSource {
  /** Holds the definition, whose defaults replace missing values. */
  readonly config?: C | undefined
  /** Called with every error. Default: logs one line. */
  readonly onError?: ((error: ConfigError) => void) | undefined
}

/** Holds all values of one version. It cannot be passed to a client component: React refuses `secret`. */
export type ServerConfig<C extends AnyConfig = Registered> = InitialValues<C> & {
  readonly secret: Secrets<C>
  readonly status: SnapshotStatus
}

// Limits the whole request with its body. A signal does no harm here, because this request is never shared.
const limitMs = 2_000

type OnError = (error: ConfigError) => void

/** Reads once for each render, however many components ask. */
const find = cache((url: string, token: string, names: string, onError: OnError) =>
  findSnapshot({
    key: `${url} ${token}`,
    names,
    onError,
    ask: () =>
      fetch(url, {
        // Bypasses the cache of Next.js, which is a directory on a disk.
        cache: 'no-store',
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(limitMs),
      }),
  }),
)

/**
 * Reads all values of an environment, secrets too, in a server component, a route handler or an action. This makes a
 * route dynamic. It waits and falls back as `getConfig` does.
 *
 * @example
 * ```ts
 * import { defineConfig, string } from '@signalbox/config'
 * import { getServerConfig } from '@signalbox/next/server'
 *
 * const config = defineConfig({ secret: { adminToken: string({ minLength: 16 }) } })
 *
 * export async function GET(request: Request) {
 *   const { secret } = await getServerConfig({ environment: 'production', config })
 *   const isAdmin = request.headers.get('authorization') === `Bearer ${secret.get('adminToken')}`
 *   return new Response(null, { status: isAdmin ? 204 : 401 })
 * }
 * ```
 *
 * @throws {ConfigError} `invalid` for an option that is missing.
 */
export function getServerConfig<C extends AnyConfig = Registered>(
  options: GetServerConfigOptions<C>,
): Promise<ServerConfig<C>>
export async function getServerConfig(options: GetServerConfigOptions): Promise<object> {
  const { config } = options
  const snapshot = snapshotOfTest() ?? (await ask(options))
  const secret = { ...defaultsOf(config, 'secret'), ...snapshot.document?.secret }
  return { ...presentOpen(snapshot, config), secret: new Secrets(secret) }
}

function ask(options: GetServerConfigOptions): Promise<LoadedSnapshot> {
  const configSource = resolveSource(options, 'server')
  return find(
    snapshotAddress(configSource),
    configSource.apiKey,
    describeSource(configSource),
    options.onError ?? logFailure,
  )
}
