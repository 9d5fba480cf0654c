import { Problem } from '@signalbox/contract'
import { unwrapDataKey, wrapDataKey, type WrappedDataKey } from '../crypto/data-keys.ts'
import type { RootKey } from '../crypto/root-key.ts'
import { UnsealError, type DataKey } from '../crypto/seal.ts'
import type { Tx } from '../store/store.ts'
import { listRootKeyRows } from './rows.ts'

/** Describes a wrapped data key with the id of the root key that opens it. */
export interface WrappedUnder {
  readonly wrapped: Buffer
  readonly rootKeyId: string
}

/**
 * Wraps a data key under the root key in force, or under the retiring one when this node has no other; the rotation
 * rewraps it then. The root key's row stays locked, so that it is not retired before the commit.
 *
 * @throws {Problem} `sealed` when this node has neither.
 */
export async function wrapUnderRootKey(
  tx: Tx,
  rootKeys: readonly RootKey[],
  dataKey: DataKey,
): Promise<WrappedUnder> {
  for (const { id } of await listRootKeyRows(tx, 'share')) {
    const rootKey = rootKeys.find((candidate) => candidate.id === id)
    if (rootKey !== undefined) return { wrapped: wrapDataKey(rootKey, dataKey), rootKeyId: id }
  }
  throw new Problem('sealed', 'This node doesn’t have the current root key.')
}

/** Unwraps a stored data key. @throws {Problem} `sealed` when this node lacks the root key that wrapped it */
export function unwrapOrRefuse(rootKeys: readonly RootKey[], row: WrappedDataKey): DataKey {
  try {
    return unwrapDataKey(rootKeys, row)
  } catch (error) {
    if (!(error instanceof UnsealError) || error.reason !== 'unknown_key') throw error
    throw new Problem('sealed', 'This node doesn’t have the root key for these values.', {
      cause: error,
    })
  }
}
