import type { Tx } from '../../store/store.ts'
import type { LedgerName } from './target.ts'

const columns = `slot, store, name, key, state, version, sealed_digest as "sealedDigest", written_at as "writtenAt"`

/** Lists the ledger of a target by slot: one key of a schema, one row. */
export async function listNameRows(tx: Tx, orgId: string, targetId: string): Promise<LedgerName[]> {
  return tx.query<LedgerName>({
    name: 'list-target-names',
    text: `select ${columns} from target_names where org_id = $1 and target_id = $2 order by slot`,
    values: [orgId, targetId],
  })
}

/** Lists a page of the ledger of a target, by slot. */
export async function pageNameRows(
  tx: Tx,
  orgId: string,
  { targetId, after, limit }: { targetId: string; after: string; limit: number },
): Promise<LedgerName[]> {
  return tx.query<LedgerName>({
    name: 'page-target-names',
    text: `select ${columns} from target_names where org_id = $1 and target_id = $2 and slot > $3 order by slot limit $4`,
    values: [orgId, targetId, after, limit],
  })
}

/** Writes a row of the ledger, whatever stood there. */
export async function saveNameRow(
  tx: Tx,
  orgId: string,
  targetId: string,
  row: LedgerName,
): Promise<void> {
  await tx.query({
    name: 'save-target-name',
    text: `insert into target_names (org_id, target_id, slot, store, name, key, state, version, sealed_digest, written_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (org_id, target_id, slot) do update set store = excluded.store, name = excluded.name,
        key = excluded.key, state = excluded.state, version = excluded.version, sealed_digest = excluded.sealed_digest,
        written_at = excluded.written_at`,
    values: [
      orgId,
      targetId,
      row.slot,
      row.store,
      row.name,
      row.key,
      row.state,
      row.version,
      row.sealedDigest,
      row.writtenAt,
    ],
  })
}

/** Deletes a row of the ledger: the name is not ours any more, or never came to be. */
export async function deleteNameRow(
  tx: Tx,
  orgId: string,
  { targetId, slot }: { readonly targetId: string; readonly slot: string },
): Promise<void> {
  await tx.query({
    name: 'delete-target-name',
    text: 'delete from target_names where org_id = $1 and target_id = $2 and slot = $3',
    values: [orgId, targetId, slot],
  })
}

/** Gives a target a name that it did not write. One that it wrote stays as it is. */
export async function adoptNameRow(
  tx: Tx,
  orgId: string,
  targetId: string,
  { slot, store, name }: Pick<LedgerName, 'slot' | 'store' | 'name'>,
): Promise<void> {
  await tx.query({
    name: 'adopt-target-name',
    text: `insert into target_names (org_id, target_id, slot, store, name, key, state)
      values ($1, $2, $3, $4, $5, '', 'adopted') on conflict (org_id, target_id, slot) do nothing`,
    values: [orgId, targetId, slot, store, name],
  })
}
