import type { RootKey } from '../crypto/root-key.ts'
import type { Store, Tx } from '../store/store.ts'
import { insertActiveRootKeyRow, listRootKeyRows, type RootKeyRow } from './rows.ts'

/**
 * Describes how the root keys of this node fit the database.
 *
 * - `first`: the database was empty and is bound to the first of them from here on.
 * - `ready`: everything can be opened.
 * - `partial`: a rotation was interrupted, and what is left of it needs the key `missingId` as well.
 * - `wrong`: nothing can be opened; the service must not start. Nothing was written.
 */
export type RootKeyCheck =
  | { readonly outcome: 'first' | 'ready' }
  | { readonly outcome: 'partial' | 'wrong'; readonly missingId: string }

/** Compares the root keys with the check ids in the database, before anything is read or written. */
export async function verifyRootKeys(
  { store }: { readonly store: Pick<Store, 'maintenance'> },
  rootKeys: readonly [RootKey, ...RootKey[]],
): Promise<RootKeyCheck> {
  return store.maintenance(async (tx) => {
    const rows = await listRootKeyRows(tx, 'none')
    return rows.length === 0 ? bindFirst(tx, rootKeys) : compare(rows, rootKeys)
  })
}

/**
 * Records the first root key. Two nodes may start on an empty database together: the second one finds the key of the
 * first.
 */
async function bindFirst(
  tx: Tx,
  rootKeys: readonly [RootKey, ...RootKey[]],
): Promise<RootKeyCheck> {
  const text = 'lock table root_keys in exclusive mode'
  await tx.query({ name: 'lock-root-keys', text, values: [] })
  const rows = await listRootKeyRows(tx, 'none')
  if (rows.length > 0) return compare(rows, rootKeys)
  await insertActiveRootKeyRow(tx, rootKeys[0].id)
  return { outcome: 'first' }
}

function compare(rows: readonly RootKeyRow[], rootKeys: readonly RootKey[]): RootKeyCheck {
  const missing = rows.filter(({ id }) => !rootKeys.some((rootKey) => rootKey.id === id))
  const [absent] = missing
  if (absent === undefined) return { outcome: 'ready' }
  const activeIsMissing = missing.some(({ state }) => state === 'active')
  return { outcome: activeIsMissing ? 'wrong' : 'partial', missingId: absent.id }
}
