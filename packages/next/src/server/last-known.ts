import type { ConfigError } from '@signalbox/config/client'
import type { SnapshotDocument } from './snapshot-document.ts'

/** Describes the last known snapshot of one source. */
export interface LastKnown {
  document?: SnapshotDocument
  /** Milliseconds of `performance.now()` until which a render does not wait for the server again. */
  quietUntil: number
  /** Holds the failure of the last request. `undefined` after an answer, and before the first. */
  failure: ConfigError | undefined
}

const symbol = Symbol.for('@signalbox/next last known')

/** Holds one map for the process: a bundler may load this module once for each route. */
function table(): Map<string, LastKnown> {
  const shared: typeof globalThis & { [symbol]?: Map<string, LastKnown> } = globalThis
  return (shared[symbol] ??= new Map())
}

/**
 * Returns the last known snapshot of the source that `key` identifies. The key holds the token, because another token
 * may read other values.
 */
export function lastKnown(key: string): LastKnown {
  const known = table().get(key) ?? { quietUntil: 0, failure: undefined }
  table().set(key, known)
  return known
}
