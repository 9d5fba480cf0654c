import { serverChain } from '../audit/audit-event.ts'
import { newDataKey, unwrapDataKey, wrapDataKey } from '../crypto/data-keys.ts'
import type { RootKey } from '../crypto/root-key.ts'
import { open, seal } from '../crypto/seal.ts'
import type { Tx } from '../store/store.ts'
import type { Sealer } from './organization-keys.ts'
import {
  insertServerKeyRow,
  listServerKeyRows,
  lockServerKeyRows,
  rewrapServerKeyRows,
  type ServerKeyRow,
} from './server-key-rows.ts'
import { unwrapOrRefuse, wrapUnderRootKey } from './wrapping.ts'

/** Seals and opens what belongs to the server and to no organization. */
export interface ServerKeys {
  /**
   * Returns the sealer, and creates the key with the very first call. `tx` is one of maintenance: requests see nothing
   * of the server.
   *
   * @throws {Problem} `sealed` when this node lacks the root key that the key is wrapped under.
   */
  getSealer(tx: Tx): Promise<Sealer>
}

/**
 * Creates the access to the keys of the server. People rarely change what they seal, so their seals are not counted.
 */
export function createServerKeys({
  rootKeys,
}: {
  readonly rootKeys: () => readonly RootKey[]
}): ServerKeys {
  return {
    async getSealer(tx) {
      const rows = await listOrMake(tx, rootKeys())
      const keys = rows.map((row) => unwrapOrRefuse(rootKeys(), toWrapped(row)))
      const [newest] = keys
      if (newest === undefined) throw new Error('The server has no key although one was made')
      return {
        seal: (context, plaintext) => seal(newest, context, plaintext),
        open: (context, sealed) => open(keys, context, sealed),
      }
    },
  }
}

/**
 * Wraps the keys under `from` again under `to`, in the transaction that retires `from`. Returns how many there were.
 */
export async function rewrapServerKeys(
  tx: Tx,
  { from, to }: { readonly from: RootKey; readonly to: RootKey },
): Promise<number> {
  const rows = await lockServerKeyRows(tx, from.id)
  if (rows.length === 0) return 0
  const keys = rows.map((row) => ({
    version: row.version,
    wrapped: wrapDataKey(to, unwrapDataKey([from], toWrapped(row))),
  }))
  await rewrapServerKeyRows(tx, to.id, keys)
  return keys.length
}

async function listOrMake(tx: Tx, rootKeys: readonly RootKey[]): Promise<ServerKeyRow[]> {
  const rows = await listServerKeyRows(tx)
  if (rows.length > 0) return rows
  const version = 1
  const wrapped = await wrapUnderRootKey(tx, rootKeys, newDataKey(serverChain, version))
  await insertServerKeyRow(tx, { version, ...wrapped })
  // Another node may have stored its key first.
  return listServerKeyRows(tx)
}

function toWrapped({ version, wrapped }: ServerKeyRow) {
  return { orgId: serverChain, version, wrapped }
}
