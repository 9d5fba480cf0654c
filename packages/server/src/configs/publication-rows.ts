import { limits } from '@signalbox/contract'
import type { Tx } from '../store/store.ts'
import type { Publication } from './plan-publication.ts'

/**
 * Everything a write stores, in one statement. Heads, versions and snapshots come as columns of arrays, so that a
 * write that reaches many environments takes as many round trips as one that reaches none.
 *
 * The deletes keep the last versions only; `keep_after` is 0 on most writes and then finds nothing.
 */
const publishSql = `
with heads as (
  update config_heads h
  set version = n.version, browser_version = n.browser_version,
    open_values = coalesce(n.open_values::json, h.open_values),
    secret_values = coalesce(n.secret_values::json, h.secret_values)
  from unnest($2::text[], $3::text[], $4::integer[], $5::integer[], $6::text[], $7::text[])
    as n (schema_id, environment_id, version, browser_version, open_values, secret_values)
  where h.org_id = $1 and h.schema_id = n.schema_id and h.environment_id = n.environment_id
), versions as (
  insert into config_versions (org_id, schema_id, environment_id, version, id, kind, author, comment, changes,
    open_values, secret_values, created_at)
  select $1, n.schema_id, n.environment_id, n.version, n.id, n.kind, $9::json, $10, n.changes::json,
    n.open_values::json, n.secret_values::json, $11
  from unnest($12::text[], $13::text[], $14::integer[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[])
    as n (schema_id, environment_id, version, id, kind, changes, open_values, secret_values)
), browsers as (
  insert into browser_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag,
    body, flag_sources)
  select $1, n.schema_id, n.environment_id, n.version, n.schema_name, n.environment_name, n.etag, n.body,
    n.flag_sources::json
  from unnest($20::text[], $21::text[], $22::integer[], $23::text[], $24::text[], $25::text[], $26::text[], $27::text[])
    as n (schema_id, environment_id, version, schema_name, environment_name, etag, body, flag_sources)
), servers as (
  insert into server_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag,
    body, sealed_secrets)
  select $1, n.schema_id, n.environment_id, n.version, n.schema_name, n.environment_name, n.etag, n.body,
    n.sealed_secrets
  from unnest($28::text[], $29::text[], $30::integer[], $31::text[], $32::text[], $33::text[], $34::text[], $35::bytea[])
    as n (schema_id, environment_id, version, schema_name, environment_name, etag, body, sealed_secrets)
), old_versions as (
  delete from config_versions v using unnest($2::text[], $3::text[], $4::integer[], $8::boolean[])
    as n (schema_id, environment_id, version, prunes)
  where n.prunes and v.org_id = $1 and v.schema_id = n.schema_id and v.environment_id = n.environment_id
    and v.version <= n.version - ${limits.versionsKept}
), old_servers as (
  delete from server_snapshots v using unnest($2::text[], $3::text[], $4::integer[], $8::boolean[])
    as n (schema_id, environment_id, version, prunes)
  where n.prunes and v.org_id = $1 and v.schema_id = n.schema_id and v.environment_id = n.environment_id
    and v.version <= n.version - ${limits.snapshotVersionsKept}
)
delete from browser_snapshots v using unnest($2::text[], $3::text[], $5::integer[], $8::boolean[])
  as n (schema_id, environment_id, version, prunes)
where n.prunes and v.org_id = $1 and v.schema_id = n.schema_id and v.environment_id = n.environment_id
  and v.version <= n.version - ${limits.snapshotVersionsKept}`

/** Old versions are deleted by every tenth write, ten at once: a look for them costs more than they do. */
const pruneEvery = 10

/** Stores a publication. The heads must be locked by this transaction. */
export async function storePublication(
  tx: Tx,
  orgId: string,
  { heads, versions, browsers, servers }: Publication,
): Promise<void> {
  if (heads.length === 0) return
  const [first] = versions
  await tx.query({
    name: 'publish-configs',
    text: publishSql,
    values: [
      orgId,
      heads.map((head) => head.schemaId),
      heads.map((head) => head.environmentId),
      heads.map((head) => head.version),
      heads.map((head) => head.browserVersion),
      heads.map(({ values }) => (values === undefined ? null : JSON.stringify(values.openValues))),
      heads.map(({ values }) =>
        values === undefined ? null : JSON.stringify(values.secretValues),
      ),
      heads.map((head) => head.version % pruneEvery === 0),
      JSON.stringify(first?.author ?? null),
      first?.comment ?? null,
      first?.createdAt ?? null,
      versions.map((version) => version.schemaId),
      versions.map((version) => version.environmentId),
      versions.map((version) => version.version),
      versions.map((version) => version.id),
      versions.map((version) => version.kind),
      versions.map((version) => JSON.stringify(version.changes)),
      versions.map((version) => JSON.stringify(version.content.open)),
      versions.map((version) => JSON.stringify(version.content.secret)),
      ...snapshotColumns(browsers),
      browsers.map((browser) => JSON.stringify(browser.flagSources)),
      ...snapshotColumns(servers),
      servers.map((server) => server.sealedSecrets),
    ],
  })
}

function snapshotColumns(
  records: Publication['browsers'] | Publication['servers'],
): (string[] | number[])[] {
  return [
    records.map((record) => record.schemaId),
    records.map((record) => record.environmentId),
    records.map((record) => record.version),
    records.map((record) => record.schema),
    records.map((record) => record.environment),
    records.map((record) => record.etag),
    records.map((record) => record.body),
  ]
}

/** A schema in an environment, which is deleted. */
export interface DeletedPair {
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
  insert into browser_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag)
  select org_id, schema_id, environment_id, max(version) + 1, max(schema_name), max(environment_name), ''
  from browsers group by org_id, schema_id, environment_id
)
insert into server_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag)
select org_id, schema_id, environment_id, max(version) + 1, max(schema_name), max(environment_name), ''
from servers group by org_id, schema_id, environment_id`

/** Withdraws what was published of deleted pairs. A last row without a body is left, for the nodes to notice. */
export async function withdrawPublications(
  tx: Tx,
  orgId: string,
  pairs: readonly DeletedPair[],
): Promise<void> {
  if (pairs.length === 0) return
  await tx.query({
    name: 'withdraw-configs',
    text: withdrawSql,
    values: [orgId, pairs.map((pair) => pair.schemaId), pairs.map((pair) => pair.environmentId)],
  })
}

/** Forgets every snapshot of a schema before the present one: they show a key that has become a secret. */
export async function forgetOldSnapshots(tx: Tx, orgId: string, schemaId: string): Promise<void> {
  await tx.query({
    name: 'forget-old-snapshots',
    text: `with heads as (
        select environment_id, version, browser_version from config_heads where org_id = $1 and schema_id = $2
      ), servers as (
        delete from server_snapshots s using heads h
        where s.org_id = $1 and s.schema_id = $2 and s.environment_id = h.environment_id and s.version < h.version
      )
      delete from browser_snapshots s using heads h
      where s.org_id = $1 and s.schema_id = $2 and s.environment_id = h.environment_id
        and s.version < h.browser_version`,
    values: [orgId, schemaId],
  })
}
