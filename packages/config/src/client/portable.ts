import type { AnyConfig, Registered } from '../config-types.ts'
import { AdvisedError } from '../advised-error.ts'
import type { ConfigClientOptions, TargetedClient } from './client-types.ts'
import { createServerClient } from './server-client.ts'

export * from './entry.ts'

/**
 * Creates a client for any platform that is neither a browser nor Node. It needs only `fetch`.
 *
 * @example
 * ```ts
 * import { createConfigClient } from '@signalbox/config/client'
 *
 * const client = createConfigClient({
 *   serverUrl: 'https://config.example.com',
 *   token: 'sbx_m2m_…',
 *   schemaId: 'sch_…',
 *   environmentId: 'env_…',
 * })
 * if (await client.flag('newCheckout')) console.log(await client.get('timeoutMs'))
 * const unsubscribe = client.subscribe((snapshot) => console.log(snapshot.version))
 * ```
 *
 * @throws {ConfigError} `invalid` for `persist` without a `storage`, because there is no disk, and for an option that
 * is empty or of the wrong form, such as a name where an id is needed.
 */
export function createConfigClient<C extends AnyConfig = Registered>(
  options: ConfigClientOptions<C>,
): TargetedClient<C> {
  if (options.persist && !options.storage) {
    throw new AdvisedError(
      'invalid',
      'This platform has no storage for persist',
      'Set the option storage to an object with getItem and setItem, or leave persist out.',
    )
  }
  // The types of the keys exist at compile time only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return createServerClient(options) as TargetedClient<C>
}
