import type { AnyConfig, Registered } from '@signalbox/config'
import type { ConfigError, InitialValues } from '@signalbox/config/client'
import {
  describeSource,
  resolveSource,
  snapshotAddress,
  type ConfigSource,
} from './config-source.ts'
import { completeFetchOptions, type FetchOptions } from './fetch-options.ts'
import { findSnapshot, type LoadedSnapshot } from './find-snapshot.ts'
import { logFailure, presentOpen, type SnapshotStatus } from './present-snapshot.ts'
import { snapshotOfTest } from './test-snapshot.ts'

/** Describes what `getConfig` reads, and how Next.js caches it. */
export interface GetConfigOptions<C extends AnyConfig = Registered> extends ConfigSource {
  /** Sets how Next.js caches the request. Default: refreshed after 60 s, under the tags of `configTag`. */
  readonly fetchOptions?: FetchOptions | undefined
  /** Holds the definition, whose defaults replace missing values. It stays on the server. */
  readonly config?: C | undefined
  /** Called with every error. Default: logs one line. */
  readonly onError?: ((error: ConfigError) => void) | undefined
}

/** Holds the public values and flags of one version, as plain data: for `initialValues` and for `'use cache'`. */
export type PublicConfig<C extends AnyConfig = Registered> = InitialValues<C> & {
  readonly status: SnapshotStatus
}

const yearSeconds = 31_536_000

/**
 * Reads the public values of an environment in a server component. Waits at most two seconds. When the server is
 * unreachable or refuses, returns the last known values, or the defaults of the definition, with a `status` that says
 * so.
 *
 * @example
 * ```tsx
 * import { boolean, defineConfig, string } from '@signalbox/config'
 * import { getConfig } from '@signalbox/next/server'
 *
 * const config = defineConfig({
 *   public: { greeting: string({ default: 'Hello' }) },
 *   featureFlags: { newCheckout: boolean() },
 * })
 *
 * export default async function Page() {
 *   const { public: values, featureFlags } = await getConfig({ environment: 'production', config })
 *   return <h1>{featureFlags.newCheckout ? 'New' : values.greeting}</h1>
 * }
 * ```
 *
 * @throws {ConfigError} `invalid` for an option that is missing, `forbidden` for a key that is no browser key.
 */
export function getConfig<C extends AnyConfig = Registered>(
  options: GetConfigOptions<C>,
): Promise<PublicConfig<C>>
export async function getConfig(options: GetConfigOptions): Promise<object> {
  return presentOpen(snapshotOfTest() ?? (await ask(options)), options.config)
}

function ask({
  fetchOptions = {},
  onError = logFailure,
  ...options
}: GetConfigOptions): Promise<LoadedSnapshot> {
  const configSource = resolveSource(options, 'browser')
  // The key is in the URL as in a browser, so that both share the caches between here and the server.
  const url = `${snapshotAddress(configSource)}&apiKey=${encodeURIComponent(configSource.apiKey)}`
  const init = completeFetchOptions(fetchOptions, configSource)
  // With a long lifetime, every cached entry counts as fresh. The route keeps the shorter lifetime of `ask`.
  const cacheInit = { ...init, next: { ...init.next, revalidate: yearSeconds } }
  return findSnapshot({
    key: url,
    names: describeSource(configSource),
    onError,
    ask: () => fetch(url, init),
    ...(init.next.revalidate && { askCache: () => fetch(url, cacheInit) }),
  })
}
