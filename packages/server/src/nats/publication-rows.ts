import type { MarkOrder } from '../replica/mark.ts'
import type { Signed } from '../replica/signed.ts'
import { advisoryLocks } from '../store/advisory-locks.ts'
import type { Tx } from '../store/store.ts'

/** Describes the newest mark of a group. */
export interface MarkRow extends MarkOrder, Signed {
  readonly group: string
  /** Holds the SHA-256 of the index. */
  readonly index: string
  readonly signedAt: Date
}

/** Describes the version of a record that has none of its own. */
export interface VersionRow {
  readonly name: string
  readonly content: string
  readonly version: number
}

/**
 * Waits for the other processes that publish, two seconds at most. PostgreSQL ends the transaction of a process that stands
 * still in it, so that none keeps the others from publishing.
 */
export async function lockPublication(tx: Tx): Promise<void> {
  tx.send({
    name: 'limit-publication',
    text: `select set_config('lock_timeout', '2s', true), set_config('idle_in_transaction_session_timeout', '5s', true)`,
    values: [],
  })
  await tx.query({
    name: 'lock-publication',
    text: 'select pg_advisory_xact_lock($1, $2)',
    values: [...advisoryLocks.publication],
  })
}

/** Draws the next number of the counter. No number is drawn twice in a database. */
export async function drawCounter(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ counter: number }>({
    name: 'draw-replica-counter',
    text: `select coalesce(nextval('replica_counter'), 0) as counter`,
    values: [],
  })
  if (row === undefined) throw new Error('The statement answers one row')
  return row.counter
}

/** Lists the newest mark of each group. */
export async function listMarkRows(tx: Tx): Promise<MarkRow[]> {
  return tx.query<MarkRow>({
    name: 'list-replica-marks',
    text: `select group_name as "group", epoch, counter, index_name as index, mark as text, signatures, signed_at as "signedAt"
      from replica_marks`,
    values: [],
  })
}

/** Stores the newest mark of a group. */
export async function saveMarkRow(tx: Tx, row: MarkRow): Promise<void> {
  await tx.query({
    name: 'save-replica-mark',
    text: `insert into replica_marks (group_name, epoch, counter, index_name, mark, signatures, signed_at)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (group_name) do update set epoch = excluded.epoch, counter = excluded.counter,
        index_name = excluded.index_name, mark = excluded.mark, signatures = excluded.signatures, signed_at = excluded.signed_at`,
    values: [row.group, row.epoch, row.counter, row.index, row.text, row.signatures, row.signedAt],
  })
}

/** Lists the versions of records. */
export async function listVersionRows(tx: Tx): Promise<VersionRow[]> {
  return tx.query<VersionRow>({
    name: 'list-replica-versions',
    text: 'select record_name as name, content, version from replica_versions',
    values: [],
  })
}

/** Stores the versions of records, all in one statement. */
export async function saveVersionRows(tx: Tx, rows: readonly VersionRow[]): Promise<void> {
  await tx.query({
    name: 'save-replica-versions',
    text: `insert into replica_versions (record_name, content, version)
      select * from unnest($1::text[], $2::text[], $3::bigint[])
      on conflict (record_name) do update set content = excluded.content, version = excluded.version`,
    values: [
      rows.map(({ name }) => name),
      rows.map(({ content }) => content),
      rows.map(({ version }) => version),
    ],
  })
}

/** Deletes the versions of records that there are no longer. */
export async function deleteVersionRows(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.query({
    name: 'delete-replica-versions',
    text: 'delete from replica_versions where record_name = any ($1)',
    values: [names],
  })
}
