import { parseRootKey, type RootKey } from '../crypto/root-key.ts'
import type { Settings } from '../settings.ts'
import { findRootKeys } from '../vault/root-key-file.ts'

/** Tells the person who starts a node what it lacks without a root key. */
export const sealedNotice =
  'This node has no root key: it serves browser keys, and answers server keys with 503 sealed.'

/** Returns the root keys of the settings, else those of the data directory. A process that only delivers creates none. */
export function deliveryRootKeys({ rootKeys, dataDir }: Settings): readonly RootKey[] {
  return rootKeys.length > 0 ? rootKeys.map(parseRootKey) : findRootKeys(dataDir)
}
