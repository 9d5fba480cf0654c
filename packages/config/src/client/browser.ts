import type { AnyConfig, Registered } from '../config-types.ts'
import { addReads } from './add-reads.ts'
import type { ConfigClient, ConfigClientOptions } from './client-types.ts'
import { createPageCore } from './page.ts'

export * from './entry.ts'

/**
 * Creates a client for browsers. The key travels in the URL and no header is set by hand, so that no request needs a
 * preflight.
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
