import { ConfigError } from '../config-error.ts'
import type { AnyConfig, Registered } from '../config-types.ts'
import type { ConfigClient, ConfigClientOptions } from './client-types.ts'
import { createServerClient } from './server-client.ts'

export { ConfigError, type ConfigErrorCode } from '../config-error.ts'
export type {
  ConfigClient,
  ConfigClientOptions,
  FetchLike,
  InitialValues,
  Snapshot,
  SnapshotStorage,
  Status,
} from './client-types.ts'

/**
 * A client for anything that is neither a browser nor Node: it needs `fetch` and nothing else.
 *
 * @throws {ConfigError} `invalid` for `persist` without a `storage`, because there is no disk.
 */
export function createConfigClient<C extends AnyConfig = Registered>(
  options: ConfigClientOptions<C>,
): ConfigClient<C> {
  if (options.persist && !options.storage) {
    throw new ConfigError('invalid', 'This platform has no place to persist in. Give a storage.')
  }
  // The types of the keys exist at compile time only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return createServerClient(options) as ConfigClient<C>
}
