import type { Tx } from '../../store/store.ts'
import type { CurrentValues } from '../../config-model/current-values.ts'
import type { StoredDefinition } from '../../config-model/definition.ts'
import {
  toPolicies,
  type EnvironmentPolicies,
  type EnvironmentPolicy,
} from '../../config-model/confirmation.ts'
import { protectionColumn } from '../environments/environment-rows.ts'
import { toTree, type EnvironmentNode } from '../../config-model/environment-tree.ts'
import type { ConfigState } from '../../config-model/resolve-values.ts'
import type { SchemaCache } from '../schemas/schema-cache.ts'
import {
  readOpenValues,
  readSecretValues,
  type StoredOpenValues,
  type StoredSecretValues,
} from '../../config-model/stored-entries.ts'

interface CurrentRow {
  environment_id: string
  version: number
  browser_version: number
  lost_version: number
  lost_browser_version: number
  open_values: StoredOpenValues
  secret_values: StoredSecretValues
}

interface StateRow extends CurrentRow {
  schema_name: string
  revision: number
  definition: StoredDefinition | null
  secret_defaults: Readonly<Record<string, string>> | null
  environments: (EnvironmentNode & EnvironmentPolicy)[]
  stale: boolean
}

/**
 * Reads everything that the values of a schema in some environments depend on: the schema, the tree, and the current
 * values of the environments, of all they inherit from and of all that inherit from them.
 */
const stateSql = (locking: boolean) => `
with recursive tree as materialized (
  select id, name, parent_id, production, ${protectionColumn} as protection, inherited_secrets, archived_at is not null as is_archived
  from environments where org_id = $1
), above (id, parent_id, level) as (
  select id, parent_id, 1 from tree where id = any ($3::text[])
  union all
  select t.id, t.parent_id, a.level + 1 from above a join tree t on t.id = a.parent_id where a.level < 32
), below (id, level) as (
  select id, 1 from tree where id = any ($3::text[])
  union all
  select t.id, b.level + 1 from below b join tree t on t.parent_id = b.id where b.level < 32
)
select h.environment_id, h.version, h.browser_version, h.lost_version, h.lost_browser_version, h.open_values, h.secret_values,
  s.name as schema_name, s.revision,
  case when s.revision <> $4 then s.definition end as definition,
  case when s.revision <> $4 then s.secret_defaults end as secret_defaults,
  (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'parentId', parent_id, 'production', production,
    'protection', protection, 'inheritedSecrets', inherited_secrets, 'isArchived', is_archived)), '[]') from tree) as environments,
  ${locking ? 'h.xmin is distinct from (select seen.xmin from current_values seen where seen.org_id = h.org_id and seen.schema_id = h.schema_id and seen.environment_id = h.environment_id)' : 'false'} as stale
from current_values h
join config_schemas s on s.org_id = h.org_id and s.id = h.schema_id
where h.org_id = $1 and h.schema_id = $2
  and h.environment_id in (select id from above union select id from below)
order by h.environment_id
${locking ? 'for no key update of h' : ''}`

const readSql = stateSql(false)
const lockSql = stateSql(true)

/** Names the schema and the environments that a write or read is about. */
export interface StateOf {
  readonly orgId: string
  readonly schemaId: string
  readonly environmentIds: readonly string[]
}

/**
 * Returns the state as one snapshot of the database has it; `undefined` when there is no such schema or environment.
 */
export async function findState(
  tx: Tx,
  schemas: SchemaCache,
  of: StateOf,
): Promise<ConfigState | undefined> {
  return toState(schemas, of, await query(tx, schemas, of, 'read'))
}

const lockAttemptsMax = 8

/** Holds a state that nobody else changes until the transaction ends, and the policies of its environments. */
export interface LockedState {
  readonly state: ConfigState
  readonly policies: EnvironmentPolicies
}

/**
 * Locks and returns the state for a write: nothing of it changes until the transaction ends. Locks the current values
 * of the whole family in one order; a change of the schema or the tree writes to those rows too. A statement that waits
 * for a lock returns everything beside the locked rows as it was before the wait, so after a wait it runs once more.
 */
export async function lockState(
  tx: Tx,
  schemas: SchemaCache,
  of: StateOf,
): Promise<LockedState | undefined> {
  for (let attempt = 1; ; attempt++) {
    const rows = await query(tx, schemas, of, 'lock')
    if (attempt < lockAttemptsMax && rows.some(({ stale }) => stale)) continue
    const state = toState(schemas, of, rows)
    return state && { state, policies: toPolicies(rows[0]?.environments ?? []) }
  }
}

async function query(
  tx: Tx,
  schemas: SchemaCache,
  { orgId, schemaId, environmentIds }: StateOf,
  how: 'read' | 'lock',
): Promise<StateRow[]> {
  return tx.query<StateRow>({
    name: `${how}-config-state`,
    text: how === 'lock' ? lockSql : readSql,
    values: [orgId, schemaId, environmentIds, schemas.knownRevision(schemaId)],
  })
}

function toState(
  schemas: SchemaCache,
  { schemaId, environmentIds }: StateOf,
  rows: readonly StateRow[],
): ConfigState | undefined {
  const [first] = rows
  const currentValues = new Map(rows.map((row) => [row.environment_id, toCurrentValues(row)]))
  if (first === undefined || !environmentIds.every((id) => currentValues.has(id))) return undefined
  const { definition, secretDefaults } = schemas.take({
    id: schemaId,
    revision: first.revision,
    definition: first.definition,
    secretDefaults: first.secret_defaults,
  })
  const schema = {
    id: schemaId,
    name: first.schema_name,
    revision: first.revision,
    definition,
    secretDefaults,
  }
  return { schema, tree: toTree(first.environments), currentValues }
}

function toCurrentValues(row: CurrentRow): CurrentValues {
  return {
    environmentId: row.environment_id,
    version: row.version,
    browserVersion: row.browser_version,
    lostVersion: row.lost_version,
    lostBrowserVersion: row.lost_browser_version,
    openValues: readOpenValues(row.open_values),
    secretValues: readSecretValues(row.secret_values),
  }
}

interface SchemaCurrentRow extends CurrentRow {
  schema_id: string
}

/** Holds current values by schema, and below that by environment. */
export type CurrentValuesBySchema = ReadonlyMap<string, ReadonlyMap<string, CurrentValues>>

/**
 * Locks and returns the current values of some environments, or of all (`null`), over some schemas, or over all. Takes
 * the locks in the order that every writer has.
 */
export async function lockCurrentValues(
  tx: Tx,
  orgId: string,
  of: {
    readonly schemaIds: readonly string[] | null
    readonly environmentIds: readonly string[] | null
  },
): Promise<CurrentValuesBySchema> {
  const rows = await tx.query<SchemaCurrentRow>({
    name: 'lock-config-heads',
    text: `select schema_id, environment_id, version, browser_version, lost_version, lost_browser_version, open_values,
        secret_values
      from current_values
      where org_id = $1 and ($2::text[] is null or schema_id = any ($2))
        and ($3::text[] is null or environment_id = any ($3))
      order by schema_id, environment_id for no key update`,
    values: [orgId, of.schemaIds, of.environmentIds],
  })
  return toCurrentValuesBySchema(rows)
}

/**
 * Locks the current values of every schema in every environment, in the order that every writer has. With the lock of the
 * structure no new ones come.
 */
export async function lockAllCurrentRows(tx: Tx, orgId: string): Promise<void> {
  await tx.query<{ count: number }>({
    name: 'lock-all-config-heads',
    text: `select count(*)::integer as count from (
        select from current_values where org_id = $1 order by schema_id, environment_id for no key update) h`,
    values: [orgId],
  })
}

/** Returns the current values of a schema in every environment, without locking them. */
export async function readCurrentValues(
  tx: Tx,
  of: { readonly orgId: string; readonly schemaId: string },
): Promise<ReadonlyMap<string, CurrentValues>> {
  const rows = await tx.query<CurrentRow>({
    name: 'read-config-heads',
    text: `select environment_id, version, browser_version, lost_version, lost_browser_version, open_values,
        secret_values
      from current_values where org_id = $1 and schema_id = $2`,
    values: [of.orgId, of.schemaId],
  })
  return new Map(rows.map((row) => [row.environment_id, toCurrentValues(row)]))
}

/** Returns the current values of every schema in every environment, without locking them. */
export async function readAllCurrentValues(tx: Tx, orgId: string): Promise<CurrentValuesBySchema> {
  const rows = await tx.query<SchemaCurrentRow>({
    name: 'read-all-config-heads',
    text: `select schema_id, environment_id, version, browser_version, lost_version, lost_browser_version, open_values,
        secret_values
      from current_values where org_id = $1`,
    values: [orgId],
  })
  return toCurrentValuesBySchema(rows)
}

/** Returns a text that differs for every state of an organization's values, schemas and environments. */
export async function findStateMark(tx: Tx, orgId: string): Promise<string> {
  const [row] = await tx.query<{ mark: string }>({
    name: 'find-config-state-mark',
    text: `select concat(
        (select md5(string_agg(concat_ws(' ', schema_id, environment_id, version), ',' order by schema_id, environment_id))
         from current_values where org_id = $1),
        (select md5(string_agg(concat_ws(' ', id, revision), ',' order by id)) from config_schemas where org_id = $1),
        (select md5(string_agg(concat_ws(' ', id, revision), ',' order by id)) from environments where org_id = $1)
      ) as mark`,
    values: [orgId],
  })
  return row?.mark ?? ''
}

function toCurrentValuesBySchema(rows: readonly SchemaCurrentRow[]): CurrentValuesBySchema {
  const bySchema = Map.groupBy(rows, (row) => row.schema_id)
  return new Map(
    [...bySchema].map(([schemaId, group]) => [
      schemaId,
      new Map(group.map((row) => [row.environment_id, toCurrentValues(row)])),
    ]),
  )
}

/** Inserts the first row of current values, an empty one, for pairs of schema and environment that have none. */
export async function insertCurrentRows(
  tx: Tx,
  orgId: string,
  pairs: readonly { readonly schemaId: string; readonly environmentId: string }[],
): Promise<void> {
  if (pairs.length === 0) return
  await tx.query({
    name: 'insert-config-heads',
    text: `insert into current_values (org_id, schema_id, environment_id)
      select $1, n.schema_id, n.environment_id from unnest($2::text[], $3::text[]) as n (schema_id, environment_id)
      on conflict do nothing`,
    values: [orgId, pairs.map((pair) => pair.schemaId), pairs.map((pair) => pair.environmentId)],
  })
}

/**
 * Notes that the last rows of an environment's snapshots have the next numbers, so that what is published later comes after them. Call
 * it after `withdrawPublications`.
 */
export async function skipWithdrawn(tx: Tx, orgId: string, environmentId: string): Promise<void> {
  await tx.query({
    name: 'skip-withdrawn-versions',
    text: `update current_values set lost_version = greatest(version, lost_version) + 1,
        lost_browser_version = greatest(browser_version, lost_browser_version) + 1
      where org_id = $1 and environment_id = $2`,
    values: [orgId, environmentId],
  })
}

/** Holds back every other change of the organization's schemas and environments until the transaction ends. */
export async function lockStructure(tx: Tx, orgId: string): Promise<void> {
  await tx.query({
    name: 'lock-config-structure',
    text: `select pg_advisory_xact_lock(hashtextextended('configs ' || $1, 0))`,
    values: [orgId],
  })
}
