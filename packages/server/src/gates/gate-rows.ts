import type { Tx } from '../store/store.ts'
import type { Author } from '../audit/audit-event.ts'
import type { GateRow } from './gate.ts'

const columns = `id, name, environment_ids as "environmentIds", repositories, mode, rules, revision, created_at as "createdAt",
  updated_at as "updatedAt"`

/** Lists every gate of an organization by name. There are at most `limits.gatesPerOrganization`. */
export async function listGateRows(tx: Tx, orgId: string): Promise<GateRow[]> {
  return tx.query<GateRow>({
    name: 'list-gates',
    text: `select ${columns} from gates where org_id = $1 order by lower(name)`,
    values: [orgId],
  })
}

/** Lists a page of gates after a name, by name. */
export async function pageGateRows(
  tx: Tx,
  orgId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<GateRow[]> {
  return tx.query<GateRow>({
    name: 'page-gates',
    text: `select ${columns} from gates where org_id = $1 and lower(name) > lower($2) order by lower(name) limit $3`,
    values: [orgId, after, limit],
  })
}

/** Waits for whoever else changes gates of the organization. */
export async function lockGates(tx: Tx, orgId: string): Promise<void> {
  await tx.query({
    name: 'lock-gates',
    text: `select pg_advisory_xact_lock(hashtextextended('gates ' || $1, 0))`,
    values: [orgId],
  })
}

/** Adds a gate, or replaces the one with its id. */
export async function saveGateRow(tx: Tx, orgId: string, row: GateRow): Promise<void> {
  await tx.query({
    name: 'save-gate',
    text: `insert into gates (org_id, id, name, environment_ids, repositories, mode, rules, revision, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (org_id, id) do update set name = excluded.name, environment_ids = excluded.environment_ids,
        repositories = excluded.repositories, mode = excluded.mode, rules = excluded.rules, revision = excluded.revision,
        updated_at = excluded.updated_at`,
    values: [
      orgId,
      row.id,
      row.name,
      row.environmentIds,
      row.repositories,
      row.mode,
      JSON.stringify(row.rules),
      row.revision,
      row.createdAt,
      row.updatedAt,
    ],
  })
}

/** Deletes a gate, and returns its name; `undefined` where there is none. */
export async function deleteGateRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly name: string }>({
    name: 'delete-gate',
    text: 'delete from gates where org_id = $1 and id = $2 returning name',
    values: [orgId, id],
  })
  return row?.name
}

/** Describes that nothing is deployed to an environment for a while. */
export interface FreezeRow {
  readonly environmentId: string
  readonly until: Date
  readonly reason: string
  readonly frozenBy: Author
  readonly frozenAt: Date
}

/** Lists the environments that are frozen at a moment. */
export async function listFreezeRows(tx: Tx, orgId: string, now: Date): Promise<FreezeRow[]> {
  return tx.query<FreezeRow>({
    name: 'list-freezes',
    text: `select environment_id as "environmentId", until, reason, frozen_by as "frozenBy", frozen_at as "frozenAt"
      from environment_freezes where org_id = $1 and until > $2 order by environment_id`,
    values: [orgId, now],
  })
}

/** Freezes an environment, or freezes it anew. */
export async function saveFreezeRow(tx: Tx, orgId: string, row: FreezeRow): Promise<void> {
  await tx.query({
    name: 'save-freeze',
    text: `insert into environment_freezes (org_id, environment_id, until, reason, frozen_by, frozen_at)
      values ($1, $2, $3, $4, $5, $6) on conflict (org_id, environment_id) do update set until = excluded.until,
        reason = excluded.reason, frozen_by = excluded.frozen_by, frozen_at = excluded.frozen_at`,
    values: [
      orgId,
      row.environmentId,
      row.until,
      row.reason,
      JSON.stringify(row.frozenBy),
      row.frozenAt,
    ],
  })
}

/** Ends the freeze of an environment; `false` where it has none. */
export async function deleteFreezeRow(
  tx: Tx,
  orgId: string,
  environmentId: string,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'delete-freeze',
    text: 'delete from environment_freezes where org_id = $1 and environment_id = $2 returning 1 as deleted',
    values: [orgId, environmentId],
  })
  return rows.length > 0
}
