import type { AnyConfig, Registered } from '../config-types.ts'
import { addReads } from './add-reads.ts'
import type { ConfigClient, ConfigClientOptions } from './client-types.ts'
import { createPageCore } from './page.ts'

export * from './entry.ts'

/**
 * Creates a client for browsers. The key travels in the URL and no header is set by hand, so that no request needs a
 * preflight.
 *
 * @example
 * ```ts
 * import { createConfigClient } from '@signalbox/config/client'
 *
 * const client = createConfigClient({
 *   serverUrl: 'https://config.example.com',
 *   token: 'sbx_b2m_…',
 *   schemaId: 'sch_…',
 *   environmentId: 'env_…',
 * })
 * if (await client.flag('newCheckout')) console.log(await client.get('timeoutMs'))
 * const unsubscribe = client.subscribe((snapshot) => console.log(snapshot.version))
 * ```
 *
 * @throws {ConfigError} `forbidden` for a token that is not a browser key, and for `initialValues` with secrets in
 * them.
 */
export function createConfigClient<C extends AnyConfig = Registered>(
  options: ConfigClientOptions<C>,
): ConfigClient<C> {
  // The types of the keys exist at compile time only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return addReads(options, createPageCore) as ConfigClient<C>
}
