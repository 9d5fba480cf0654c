import { ConfigError } from '../config-error.ts'
import { createCore, type Core, type CoreOptions } from './core.ts'
import { stillHost, type Host } from './host.ts'

export { ConfigError, type ConfigErrorCode } from '../config-error.ts'
export type { InitialValues, Snapshot, Status } from './client-types.ts'
export type { Core, CoreOptions, CoreSnapshot } from './core.ts'
export { namedPath, snapshotUrl, type SnapshotSource } from './snapshot-url.ts'

/**
 * The client in a page, without the reads of `ConfigClient`, for what binds it to a framework: it tells `onStatus` of
 * everything, and is read through `snapshot`. The key travels in the URL and no header is set by hand, so that no request
 * is preflighted.
 *
 * @throws {ConfigError} `forbidden` for a token that is not a browser key, and for `initialValues` with secrets in them.
 */
export function createPageCore(options: CoreOptions, host: Host = globalThis): Core {
  if (/^sbx_(?!b2m)/.test(options.token) || options.initialValues?.secret) {
    throw new ConfigError('forbidden', 'Secret')
  }
  return createCore(options, `apiKey=${options.token}`, host, ConfigError)
}

/**
 * Returns what a client with these options knows before it has read anything, for rendering: on a server, and while hydrating.
 * Never asks, never changes.
 *
 * @throws {ConfigError} as `createPageCore`.
 */
export const createStillCore = (options: CoreOptions): Core => createPageCore(options, stillHost)
