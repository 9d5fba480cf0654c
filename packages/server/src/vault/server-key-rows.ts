import type { Tx } from '../store/store.ts'

/** Describes a wrapped key of the server itself. */
export interface ServerKeyRow {
  readonly version: number
  readonly wrapped: Buffer
}

/** Lists the keys of the server, newest first. */
export async function listServerKeyRows(tx: Tx): Promise<ServerKeyRow[]> {
  return tx.query<ServerKeyRow>({
    name: 'list-server-keys',
    text: 'select version, wrapped from server_keys order by version desc',
    values: [],
  })
}

/** Stores a key of the server. A version that exists already is left alone. */
export async function insertServerKeyRow(
  tx: Tx,
  { version, wrapped, rootKeyId }: ServerKeyRow & { readonly rootKeyId: string },
): Promise<void> {
  await tx.query({
    name: 'insert-server-key',
    text: `insert into server_keys (version, wrapped, root_key_id) values ($1, $2, $3) on conflict do nothing`,
    values: [version, wrapped, rootKeyId],
  })
}

/** Locks the keys of the server under a root key. They stay locked until the transaction ends. */
export async function lockServerKeyRows(tx: Tx, rootKeyId: string): Promise<ServerKeyRow[]> {
  return tx.query<ServerKeyRow>({
    name: 'lock-server-keys',
    text: 'select version, wrapped from server_keys where root_key_id = $1 for update',
    values: [rootKeyId],
  })
}

/** Replaces the wrapped form of keys of the server, all in one statement. */
export async function rewrapServerKeyRows(
  tx: Tx,
  rootKeyId: string,
  keys: readonly ServerKeyRow[],
): Promise<void> {
  await tx.query({
    name: 'rewrap-server-keys',
    text: `update server_keys set wrapped = given.wrapped, root_key_id = $1
      from unnest($2::integer[], $3::bytea[]) as given (version, wrapped) where server_keys.version = given.version`,
    values: [rootKeyId, keys.map(({ version }) => version), keys.map(({ wrapped }) => wrapped)],
  })
}
