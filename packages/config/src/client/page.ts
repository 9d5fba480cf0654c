import { ConfigError } from '../config-error.ts'
import { createCore, type Core, type CoreOptions } from './core.ts'

export { ConfigError, type ConfigErrorCode } from '../config-error.ts'
export type { InitialValues, Snapshot, Status } from './client-types.ts'
export type { Core, CoreOptions, CoreSnapshot } from './core.ts'
export { namedPath, snapshotUrl, type SnapshotSource } from './snapshot-url.ts'

/**
 * Creates the client of a page without the reads of `ConfigClient`, for bindings to a framework: it reports
 * everything to `onStatus`, and is read through `snapshot`. Until `ready` is called it knows only its options, for
 * rendering on a server and while hydrating. The key travels in the URL and no header is set by hand, so that no
 * request needs a preflight.
 *
 * @throws {ConfigError} `forbidden` for a token that is not a browser key, and for `initialValues` with secrets in
 * them.
 */
export function createPageCore(options: CoreOptions): Core {
  if (/^sbx_(?!b2m)/.test(options.token) || options.initialValues?.secret) {
    throw new ConfigError('forbidden')
  }
  return createCore(options, `apiKey=${options.token}`, globalThis, ConfigError)
}
