import type { Tx } from '../store/store.ts'

/** Describes a stored wrapped key. */
export interface WrappedKeyRow {
  readonly orgId: string
  readonly version: number
  readonly wrapped: Buffer
}

/** Lists the data keys of an organization, newest first. */
export async function listDataKeyRows(tx: Tx, orgId: string): Promise<WrappedKeyRow[]> {
  return tx.query<WrappedKeyRow>({
    name: 'list-data-keys',
    text: `select org_id as "orgId", version, wrapped from data_keys where org_id = $1 order by version desc`,
    values: [orgId],
  })
}

/** Describes a data key that is to be stored. */
export interface InsertDataKey extends WrappedKeyRow {
  readonly rootKeyId: string
}

/** Stores a data key, and returns whether it was stored. An existing version stays as it is. */
export async function insertDataKeyRow(tx: Tx, key: InsertDataKey): Promise<boolean> {
  const { orgId, version, wrapped, rootKeyId } = key
  const rows = await tx.query({
    name: 'insert-data-key',
    text: `insert into data_keys (org_id, version, wrapped, root_key_id) values ($1, $2, $3, $4)
      on conflict do nothing returning 1`,
    values: [orgId, version, wrapped, rootKeyId],
  })
  return rows.length === 1
}

/** Adds to the seals of a data key and returns their sum; `undefined` when the key is gone. */
export async function addSealsRow(
  tx: Tx,
  key: { readonly orgId: string; readonly version: number; readonly seals: number },
): Promise<number | undefined> {
  const [row] = await tx.query<{ seals: number }>({
    name: 'add-seals',
    text: `update data_keys set seals = seals + $3 where org_id = $1 and version = $2 returning seals`,
    values: [key.orgId, key.version, key.seals],
  })
  return row?.seals
}

/** Describes a stored root key. */
export interface RootKeyRow {
  readonly id: string
  readonly state: 'active' | 'retiring'
}

const rootKeyLocks = { none: '', share: 'for share', update: 'for update' } as const

/** Lists the root keys that something is wrapped under: one, or two during a rotation. */
export async function listRootKeyRows(
  tx: Tx,
  lock: keyof typeof rootKeyLocks,
): Promise<RootKeyRow[]> {
  return tx.query<RootKeyRow>({
    name: `list-root-keys-${lock}`,
    text: `select id, state from root_keys order by state ${rootKeyLocks[lock]}`,
    values: [],
  })
}

/** Records the key in force. */
export async function insertActiveRootKeyRow(tx: Tx, id: string): Promise<void> {
  await tx.query({
    name: 'insert-active-root-key',
    text: `insert into root_keys (id, state) values ($1, 'active')`,
    values: [id],
  })
}

export async function retireRootKeyRow(tx: Tx, id: string): Promise<void> {
  await tx.query({
    name: 'retire-root-key',
    text: `update root_keys set state = 'retiring' where id = $1`,
    values: [id],
  })
}

export async function deleteRootKeyRow(tx: Tx, id: string): Promise<void> {
  await tx.query({
    name: 'delete-root-key',
    text: 'delete from root_keys where id = $1',
    values: [id],
  })
}

/** Returns how many data keys are wrapped under a root key. */
export async function countDataKeys(tx: Tx, rootKeyId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'count-data-keys',
    text: 'select count(*) as count from data_keys where root_key_id = $1',
    values: [rootKeyId],
  })
  return row?.count ?? 0
}

/** Locks data keys under `rootKeyId` that no other transaction has locked, until the transaction ends. */
export async function lockDataKeyRows(
  tx: Tx,
  rootKeyId: string,
  limit: number,
): Promise<WrappedKeyRow[]> {
  return tx.query<WrappedKeyRow>({
    name: 'lock-data-keys',
    text: `select org_id as "orgId", version, wrapped from data_keys where root_key_id = $1
      order by org_id, version limit $2 for update skip locked`,
    values: [rootKeyId, limit],
  })
}

/** Replaces the wrapped form of data keys, all in one statement. */
export async function rewrapDataKeyRows(
  tx: Tx,
  rootKeyId: string,
  keys: readonly WrappedKeyRow[],
): Promise<void> {
  await tx.query({
    name: 'rewrap-data-keys',
    text: `update data_keys set wrapped = given.wrapped, root_key_id = $1
      from unnest($2::text[], $3::integer[], $4::bytea[]) as given (org_id, version, wrapped)
      where data_keys.org_id = given.org_id and data_keys.version = given.version`,
    values: [
      rootKeyId,
      keys.map(({ orgId }) => orgId),
      keys.map(({ version }) => version),
      keys.map(({ wrapped }) => wrapped),
    ],
  })
}

/** Lists data keys of all organizations after a position in their order, to walk through them in batches. */
export async function walkDataKeyRows(
  tx: Tx,
  after: Pick<WrappedKeyRow, 'orgId' | 'version'>,
  limit: number,
): Promise<WrappedKeyRow[]> {
  return tx.query<WrappedKeyRow>({
    name: 'walk-data-keys',
    text: `select org_id as "orgId", version, wrapped from data_keys
      where (org_id, version) > ($1, $2) order by org_id, version limit $3`,
    values: [after.orgId, after.version, limit],
  })
}
