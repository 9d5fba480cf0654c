import { ConfigError } from '../config-error.ts'
import type { AnyConfig, Registered } from '../config-types.ts'
import type { ConfigClient, ConfigClientOptions } from './client-types.ts'
import { createCore } from './core.ts'

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
export { snapshotUrl, type SnapshotPlace } from './snapshot-url.ts'

/**
 * A client for browsers: the key travels in the URL and no header is set by hand, so that no request is preflighted.
 *
 * @throws {ConfigError} `forbidden` for a token that is not a browser key.
 */
export function createConfigClient<C extends AnyConfig = Registered>(
  options: ConfigClientOptions<C>,
): ConfigClient<C> {
  const { token } = options
  if (/^sbx_(?!b2m)/.test(token)) throw new ConfigError('forbidden', 'Secret token in browser')
  // The types of the keys exist at compile time only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return createCore(options, `?apiKey=${token}`, globalThis, ConfigError) as ConfigClient<C>
}
