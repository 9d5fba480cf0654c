import type { AnyConfig, Registered } from '../config-types.ts'
import { addReads } from './add-reads.ts'
import type { ConfigClient, ConfigClientOptions } from './client-types.ts'
import { createPageCore } from './page-development.ts'

export * from './browser.ts'

/** Creates the client that `createConfigClient` creates in a published page, with errors that say what to do. */
export function createConfigClient<C extends AnyConfig = Registered>(
  options: ConfigClientOptions<C>,
): ConfigClient<C> {
  // The types of the keys exist at compile time only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return addReads(options, createPageCore) as ConfigClient<C>
}
