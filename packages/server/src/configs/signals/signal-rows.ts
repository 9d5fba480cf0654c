import type { Tx } from '../../store/store.ts'
import type { Reading, SignalRow } from './signal.ts'

/** Describes a signal with the environments whose policy names it. */
export interface UsedSignalRow extends SignalRow {
  readonly usedBy: readonly { readonly environmentId: string; readonly environment: string }[]
}

const columns = `id, name, spec, sealed, secret_hash as "secretHash", firing, heard_at as "heardAt", last, revision,
  created_at as "createdAt", updated_at as "updatedAt", created_by as "createdBy"`

const used = `(select coalesce(json_agg(json_build_object('environmentId', e.id, 'environment', e.name) order by e.id), '[]')
  from environments e where e.org_id = signals.org_id and e.prove -> 'signals' ? signals.id) as "usedBy"`

/** Lists a page of signals after a name, by name. */
export async function pageSignalRows(
  tx: Tx,
  orgId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<UsedSignalRow[]> {
  return tx.query<UsedSignalRow>({
    name: 'page-signals',
    text: `select ${columns}, ${used} from signals where org_id = $1 and lower(name) > lower($2) order by lower(name) limit $3`,
    values: [orgId, after, limit],
  })
}

/** Finds signals by their ids. Those that are no more are left out. */
export async function listSignalRows(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<SignalRow[]> {
  return tx.query<SignalRow>({
    name: 'list-signals',
    text: `select ${columns} from signals where org_id = $1 and id = any ($2::text[]) order by id`,
    values: [orgId, ids],
  })
}

export async function findSignalRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<UsedSignalRow | undefined> {
  const [row] = await tx.query<UsedSignalRow>({
    name: 'find-signal',
    text: `select ${columns}, ${used} from signals where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Describes a signal that alerts are sent to, with its organization. */
export interface AlertedRow extends SignalRow {
  readonly orgId: string
}

/** Finds a signal of any organization: what sends alerts names nothing else. */
export async function findAlertedRow(tx: Tx, id: string): Promise<AlertedRow | undefined> {
  const [row] = await tx.query<AlertedRow>({
    name: 'find-alerted-signal',
    text: `select org_id as "orgId", ${columns} from signals where id = $1 and kind = 'alert'`,
    values: [id],
  })
  return row
}

/** Locks a signal, because alerts come at the same time. */
export async function lockSignalRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<SignalRow | undefined> {
  const [row] = await tx.query<SignalRow>({
    name: 'lock-signal',
    text: `select ${columns} from signals where org_id = $1 and id = $2 for update`,
    values: [orgId, id],
  })
  return row
}

/** Keeps which alerts of a signal fire, and that it was heard. */
export async function saveAlerts(
  tx: Tx,
  orgId: string,
  { id, firing, reading, at }: Pick<SignalRow, 'id' | 'firing'> & { reading: Reading; at: Date },
): Promise<void> {
  await tx.query({
    name: 'save-signal-alerts',
    text: 'update signals set firing = $3, heard_at = $4, last = $5 where org_id = $1 and id = $2',
    values: [
      orgId,
      id,
      JSON.stringify(firing),
      at,
      JSON.stringify({ at: at.toISOString(), ...reading }),
    ],
  })
}

/** Adds a signal, or replaces the one with its id. */
export async function saveSignalRow(tx: Tx, orgId: string, row: SignalRow): Promise<void> {
  await tx.query({
    name: 'save-signal',
    text: `insert into signals (org_id, id, name, kind, spec, sealed, secret_hash, firing, heard_at, last, revision, created_at,
        updated_at, created_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
      on conflict (org_id, id) do update set name = excluded.name, spec = excluded.spec, sealed = excluded.sealed,
        secret_hash = excluded.secret_hash, firing = excluded.firing, heard_at = excluded.heard_at, last = excluded.last,
        revision = excluded.revision, updated_at = excluded.updated_at`,
    values: [
      orgId,
      row.id,
      row.name,
      row.spec.kind,
      JSON.stringify(row.spec),
      row.sealed,
      row.secretHash,
      JSON.stringify(row.firing),
      row.heardAt,
      row.last && JSON.stringify(row.last),
      row.revision,
      row.createdAt,
      row.updatedAt,
      JSON.stringify(row.createdBy),
    ],
  })
}

/** Keeps what a signal said last. */
export async function saveReading(
  tx: Tx,
  orgId: string,
  { id, reading, at }: { readonly id: string; readonly reading: Reading; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'save-signal-reading',
    text: 'update signals set last = $3 where org_id = $1 and id = $2',
    values: [orgId, id, JSON.stringify({ at: at.toISOString(), ...reading })],
  })
}

export async function deleteSignalRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-signal',
    text: 'delete from signals where org_id = $1 and id = $2',
    values: [orgId, id],
  })
}
