import type { AnyConfig, Registered } from '../config-types.ts'
import { cacheDirectory, createDiskStorage } from '../server/disk-storage.ts'
import type { ConfigClientOptions, TargetedClient } from './client-types.ts'
import { createServerClient } from './server-client.ts'

export * from './entry.ts'

/**
 * Creates a client for Node. Call `close()` when done: its live stream keeps the process running.
 *
 * @example
 * ```ts
 * import { createConfigClient } from '@signalbox/config/client'
 *
 * const client = createConfigClient({
 *   serverUrl: 'https://config.example.com',
 *   token: process.env['SIGNALBOX_TOKEN'] ?? '',
 *   schemaId: 'sch_…',
 *   environmentId: 'env_…',
 * })
 * if (await client.flag('newCheckout')) console.log(await client.get('timeoutMs'))
 * const unsubscribe = client.subscribe((snapshot) => console.log(snapshot.version))
 * ```
 *
 * @throws {ConfigError} `invalid` for an option that is empty or of the wrong form, such as a name where an id is
 * needed.
 */
export function createConfigClient<C extends AnyConfig = Registered>(
  options: ConfigClientOptions<C>,
): TargetedClient<C> {
  const { persist, token } = options
  const directory = persist === true ? cacheDirectory() : persist
  // The types of the keys exist at compile time only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return createServerClient(
    options,
    directory ? createDiskStorage({ directory, token }) : undefined,
  ) as TargetedClient<C>
}
