import { limits } from '@signalbox/contract'
import type { Tx } from '../store/store.ts'
import type {
  BrowserRecord,
  HeadRecord,
  Publication,
  ServerRecord,
  VersionRecord,
} from './plan-publication.ts'
import { renderOpenValues, renderSecretValues } from './stored-entries.ts'

/** Statements for up to so many environments are kept planned; larger ones are rare. */
const plannedHeads = 3

/** Old versions are deleted by every tenth write, ten at once: a look for them costs more than they do. */
const pruneEvery = 10

type Columns = readonly (readonly [name: string, type: string])[]

const pairColumns = [
  ['schema_id', 'text'],
  ['environment_id', 'text'],
  ['version', 'integer'],
] as const satisfies Columns

const headColumns: Columns = [
  ...pairColumns,
  ['browser_version', 'integer'],
  ['open_values', 'json'],
  ['secret_values', 'json'],
]

const versionColumns: Columns = [
  ...pairColumns,
  ['id', 'text'],
  ['kind', 'text'],
  ['author', 'json'],
  ['comment', 'text'],
  ['changes', 'json'],
  ['changed_keys', 'text[]'],
  ['open_values', 'json'],
  ['flag_rules', 'json'],
  ['secret_values', 'json'],
  ['created_at', 'timestamptz'],
]

const snapshotColumns: Columns = [
  ...pairColumns,
  ['schema_name', 'text'],
  ['environment_name', 'text'],
  ['etag', 'text'],
  ['body', 'text'],
]
const browserColumns: Columns = [
  ...snapshotColumns,
  ['flag_sources', 'json'],
  ['flag_rules', 'json'],
]
const serverColumns: Columns = [...snapshotColumns, ['sealed_secrets', 'bytea']]

/**
 * Stores a publication in one statement, however many environments it reaches. The heads must be locked by this
 * transaction.
 */
export function storePublication(tx: Tx, orgId: string, publication: Publication): void {
  const { heads, versions, browsers, servers } = publication
  if (heads.length === 0) return
  const pruned = heads.filter(({ version }) => version > 0 && version % pruneEvery === 0)
  const counts = [heads, versions, browsers, servers, pruned].map((rows) => rows.length)
  const name = `publish-configs-${counts.join('-')}`
  tx.send({
    name: heads.length <= plannedHeads ? name : '',
    text: statementOf(name, counts),
    values: [
      orgId,
      ...heads.flatMap(headValues),
      ...versions.flatMap(versionValues),
      ...browsers.flatMap((row) => [
        ...snapshotValues(row),
        JSON.stringify(row.flagSources),
        JSON.stringify(row.flagRules),
      ]),
      ...servers.flatMap((row) => [...snapshotValues(row), row.sealedSecrets]),
      ...pruned.flatMap((head) => [
        head.schemaId,
        head.environmentId,
        head.version - limits.versionsKept,
        head.version - limits.snapshotVersionsKept,
        head.browserVersion - limits.snapshotVersionsKept,
      ]),
    ],
  })
}

const statements = new Map<string, string>()

function statementOf(name: string, counts: readonly number[]): string {
  const known = statements.get(name)
  if (known !== undefined) return known
  const text = renderStatement(counts)
  if ((counts[0] ?? 0) <= plannedHeads) statements.set(name, text)
  return text
}

function renderStatement([
  heads = 0,
  versions = 0,
  browsers = 0,
  servers = 0,
  pruned = 0,
]: readonly number[]): string {
  let used = 1
  const rows = (count: number, columns: Columns) => {
    const row = () => `(${columns.map(([, type]) => `$${++used}::${type}`).join(', ')})`
    return Array.from({ length: count }, row).join(', ')
  }
  const update = `update config_heads h
    set version = n.version, browser_version = n.browser_version,
      open_values = coalesce(n.open_values, h.open_values), secret_values = coalesce(n.secret_values, h.secret_values)
    from (values ${rows(heads, headColumns)}) as n (${namesOf(headColumns)})
    where h.org_id = $1 and h.schema_id = n.schema_id and h.environment_id = n.environment_id`
  const insert = (table: string, count: number, columns: Columns) =>
    count === 0
      ? []
      : [
          `${table}_rows as (insert into ${table} (org_id, ${namesOf(columns)})
            select $1, n.* from (values ${rows(count, columns)}) as n (${namesOf(columns)}))`,
        ]
  const parts = [
    `heads as (${update})`,
    ...insert('config_versions', versions, versionColumns),
    ...insert('browser_snapshots', browsers, browserColumns),
    ...insert('server_snapshots', servers, serverColumns),
    ...(pruned === 0 ? [] : pruneParts(rows(pruned, pruneColumns))),
  ]
  return `with ${parts.join(', ')} select`
}

function namesOf(columns: Columns): string {
  return columns.map(([name]) => name).join(', ')
}

/** The last version of each table that is not kept any more. */
const pruneColumns: Columns = [
  ['schema_id', 'text'],
  ['environment_id', 'text'],
  ['old_version', 'integer'],
  ['old_server', 'integer'],
  ['old_browser', 'integer'],
]

function pruneParts(rows: string): string[] {
  return [
    `pruned as (select * from (values ${rows}) as n (${namesOf(pruneColumns)}))`,
    prunePart('config_versions', 'old_version'),
    prunePart('server_snapshots', 'old_server'),
    prunePart('browser_snapshots', 'old_browser'),
  ]
}

function prunePart(table: string, old: string): string {
  return `${table}_pruned as (delete from ${table} v using pruned n
    where v.org_id = $1 and v.schema_id = n.schema_id and v.environment_id = n.environment_id
      and v.version <= n.${old})`
}

function headValues({ values, ...head }: HeadRecord): unknown[] {
  return [
    head.schemaId,
    head.environmentId,
    head.version,
    head.browserVersion,
    values === undefined ? null : renderOpenValues(values.openValues),
    values === undefined ? null : renderSecretValues(values.secretValues),
  ]
}

function versionValues(version: VersionRecord): unknown[] {
  return [
    version.schemaId,
    version.environmentId,
    version.version,
    version.id,
    version.kind,
    JSON.stringify(version.author),
    version.comment,
    JSON.stringify(version.changes),
    version.changes.map(({ key }) => key),
    JSON.stringify(version.content.open),
    JSON.stringify(version.content.rules),
    JSON.stringify(version.content.secret),
    version.createdAt,
  ]
}

function snapshotValues(row: BrowserRecord | ServerRecord): unknown[] {
  const { schemaId, environmentId, version, schema, environment, etag, body } = row
  return [schemaId, environmentId, version, schema, environment, etag, body]
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

/** Whether some snapshot of a schema shows one of `keys` to browsers: its value, or a default that no version holds. */
export async function isShownInSnapshots(
  tx: Tx,
  { orgId, schemaId }: { readonly orgId: string; readonly schemaId: string },
  keys: readonly string[],
): Promise<boolean> {
  const [row] = await tx.query<{ shown: boolean }>({
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
        where k.key = any ($3::text[])) as shown`,
    values: [orgId, schemaId, keys],
  })
  return row?.shown ?? false
}

/**
 * Forgets every snapshot of a schema before the present one: they show a key that has become a secret. The present ones
 * are marked as changed even when they are not, for the nodes to notice that those before are gone.
 */
export async function forgetOldSnapshots(tx: Tx, orgId: string, schemaId: string): Promise<void> {
  await tx.query({
    name: 'forget-old-snapshots',
    text: `with heads as (
        select environment_id, version, browser_version from config_heads where org_id = $1 and schema_id = $2
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
