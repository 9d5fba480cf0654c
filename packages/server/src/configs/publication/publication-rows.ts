import type { Tx } from '../../store/store.ts'

/** Names a schema in an environment, of which one is deleted. */
interface DeletedSnapshot {
  readonly schemaId: string
  readonly environmentId: string
}

const withdrawSql = `
with pairs as (
  select * from unnest($2::text[], $3::text[]) as p (schema_id, environment_id)
), browsers as (
  delete from browser_snapshots s using pairs p
  where s.org_id = $1 and s.schema_id = p.schema_id and s.environment_id = p.environment_id
  returning s.*
), servers as (
  delete from server_snapshots s using pairs p
  where s.org_id = $1 and s.schema_id = p.schema_id and s.environment_id = p.environment_id
  returning s.*
), browser_ends as (
  insert into browser_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag, ended)
  select org_id, schema_id, environment_id, greatest(max(b.version), max(h.lost_browser_version)) + 1, max(schema_name), max(environment_name), '', $4
  from browsers b left join current_values h using (org_id, schema_id, environment_id) group by org_id, schema_id, environment_id
)
insert into server_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag, ended)
select org_id, schema_id, environment_id, greatest(max(s.version), max(h.lost_version)) + 1, max(schema_name), max(environment_name), '', $4
from servers s left join current_values h using (org_id, schema_id, environment_id) group by org_id, schema_id, environment_id`

/**
 * Withdraws the snapshots of pairs. Leaves a last row without a body for each, from which the nodes learn it, and what they answer:
 * `ended`, or that there is no such snapshot.
 */
export async function withdrawPublications(
  tx: Tx,
  orgId: string,
  pairs: readonly DeletedSnapshot[],
  ended: string | null = null,
): Promise<void> {
  if (pairs.length === 0) return
  await tx.query({
    name: 'withdraw-configs',
    text: withdrawSql,
    values: [
      orgId,
      pairs.map((pair) => pair.schemaId),
      pairs.map((pair) => pair.environmentId),
      ended,
    ],
  })
}

/**
 * Returns whether some snapshot of a schema shows one of `keys` in an open tier: its value, or a default that no
 * version holds.
 */
export async function isShownInSnapshots(
  tx: Tx,
  { orgId, schemaId }: { readonly orgId: string; readonly schemaId: string },
  keys: readonly string[],
): Promise<boolean> {
  const [row] = await tx.query<{ isShown: boolean }>({
    name: 'find-shown-keys',
    text: `select exists (
        select from (
          select body::json as body from browser_snapshots where org_id = $1 and schema_id = $2 and body is not null
          union all
          select body::json from server_snapshots where org_id = $1 and schema_id = $2 and body is not null
        ) s
        cross join lateral (
          select json_object_keys(s.body -> 'public') as key union all select json_object_keys(s.body -> 'featureFlags')
        ) k
        where k.key = any ($3::text[])) as "isShown"`,
    values: [orgId, schemaId, keys],
  })
  return row?.isShown ?? false
}

/**
 * Deletes every snapshot of a schema before the present one: they show a key that has become a secret. Also rewrites
 * the present ones unchanged, from which the nodes learn that those before are gone.
 */
export async function forgetOldSnapshots(tx: Tx, orgId: string, schemaId: string): Promise<void> {
  await tx.query({
    name: 'forget-old-snapshots',
    text: `with heads as (
        select environment_id, version, browser_version from current_values where org_id = $1 and schema_id = $2
      ), servers as (
        delete from server_snapshots s using heads h
        where s.org_id = $1 and s.schema_id = $2 and s.environment_id = h.environment_id and s.version < h.version
      ), marked_servers as (
        update server_snapshots s set etag = s.etag from heads h
        where s.org_id = $1 and s.schema_id = $2 and s.environment_id = h.environment_id and s.version = h.version
      ), marked_browsers as (
        update browser_snapshots s set etag = s.etag from heads h
        where s.org_id = $1 and s.schema_id = $2 and s.environment_id = h.environment_id
          and s.version = h.browser_version
      )
      delete from browser_snapshots s using heads h
      where s.org_id = $1 and s.schema_id = $2 and s.environment_id = h.environment_id
        and s.version < h.browser_version`,
    values: [orgId, schemaId],
  })
}

/** Deletes every snapshot of an organization that is destroyed. */
export async function deleteSnapshots(tx: Tx, orgId: string): Promise<void> {
  await tx.query({
    name: 'delete-snapshots',
    text: `with browsers as (delete from browser_snapshots where org_id = $1)
      delete from server_snapshots where org_id = $1`,
    values: [orgId],
  })
}
