import { limits, type ConfigValue } from '@signalbox/contract'
import type { Author } from '../../audit/audit-event.ts'
import type { Tx } from '../../store/store.ts'
import type { VersionKind } from '../../config-model/plan-publication.ts'
import type { ValueChange } from '../../config-model/value-changes.ts'

/** Describes a version as lists show it. */
export interface VersionRow {
  readonly id: string
  readonly schemaId: string
  readonly environmentId: string
  readonly version: number
  readonly kind: VersionKind
  readonly author: Author
  readonly comment: string | null
  readonly changes: readonly ValueChange[]
  readonly createdAt: Date
}

/** Describes a version with what the environment set itself at that moment. */
export interface VersionContentRow extends VersionRow {
  readonly open: Readonly<Record<string, ConfigValue>>
  /** The texts of the rules of those flags that had some. */
  readonly rules: Readonly<Record<string, string>>
  readonly secret: Readonly<Record<string, string>>
}

const columns = `v.id, v.schema_id as "schemaId", v.environment_id as "environmentId", v.version, v.kind, v.author,
  v.comment, v.created_at as "createdAt"`
/** The first changes of a version, with their values, are what a row of a list shows. */
const changesWithValues = 3
const charactersWithValues = 2_000
/**
 * Lists show the values of the first keys, unless they are long: a page of large ones would be a hundred megabytes. For
 * the others they name the key and the segments that changed. Values of secrets are left out.
 */
const listColumns = `${columns}, coalesce((
    select json_agg(case
      when at <= ${changesWithValues} and c ->> 'tier' <> 'secret' and length(c::text) <= ${charactersWithValues} then c
      else json_strip_nulls(json_build_object('key', c -> 'key', 'tier', c -> 'tier', 'change', c -> 'change',
        'segments', c -> 'segments')) end order by at)
    from json_array_elements(v.changes) with ordinality as e (c, at)), '[]') as changes`
/** Selects the change of one key, the last parameter, with its values. */
const keyColumnsOf = (parameter: string) => `${columns}, (
    select coalesce(json_agg(c), '[]') from json_array_elements(v.changes) c where c ->> 'key' = ${parameter}) as changes`
const contentColumns = `${columns}, v.changes, v.open_values as open,
  v.flag_rules as rules, v.secret_values as secret`

/** A restore may leave a gap between numbers. Versions before it are kept until there are enough after it. */
const isKept = `(v.version > h.version - ${limits.versionsKept} or h.lost_version > h.version - ${limits.versionsKept})`

/** Names the schema, environment and key whose versions are listed. */
interface VersionsOf {
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
  /** Only versions that changed this key; left out: all. */
  readonly key?: string | undefined
}

/**
 * Lists versions below a number, newest first; those that are kept and no more, even when older ones are not deleted yet.
 */
export async function pageVersionRows(
  tx: Tx,
  { orgId, schemaId, environmentId, key }: VersionsOf,
  page: { readonly below: number | undefined; readonly limit: number },
): Promise<VersionRow[]> {
  return tx.query<VersionRow>({
    name: key === undefined ? 'page-config-versions' : 'page-config-versions-of-key',
    text: `select ${key === undefined ? listColumns : keyColumnsOf('$6')} from config_versions v
      join current_values h using (org_id, schema_id, environment_id)
      where v.org_id = $1 and v.schema_id = $2 and v.environment_id = $3
        and ${isKept} and v.version < coalesce($4, 2147483647)
        ${key === undefined ? '' : 'and $6::text = any (v.changed_keys)'}
      order by v.version desc limit $5`,
    values: [
      orgId,
      schemaId,
      environmentId,
      page.below,
      page.limit,
      ...(key === undefined ? [] : [key]),
    ],
  })
}

/** Describes where a page of the versions of several environments begins: after this moment and id. */
export interface VersionPosition {
  readonly at: string
  readonly id: string
}

/** Lists versions of several environments, or of all (`null`), newest first. */
export async function pageVersionRowsByTime(
  tx: Tx,
  of: Omit<VersionsOf, 'environmentId'> & { readonly environmentIds: readonly string[] | null },
  page: { readonly before: VersionPosition | undefined; readonly limit: number },
): Promise<VersionRow[]> {
  const { orgId, schemaId, environmentIds, key } = of
  return tx.query<VersionRow>({
    name: key === undefined ? 'page-all-config-versions' : 'page-all-config-versions-of-key',
    text: `select ${key === undefined ? listColumns : keyColumnsOf('$7')} from config_versions v
      join current_values h using (org_id, schema_id, environment_id)
      where v.org_id = $1 and v.schema_id = $2 and ($3::text[] is null or v.environment_id = any ($3))
        and ${isKept}
        and ($4::timestamptz is null or (v.created_at, v.id) < ($4, $5::text))
        ${key === undefined ? '' : 'and $7::text = any (v.changed_keys)'}
      order by v.created_at desc, v.id desc limit $6`,
    values: [
      orgId,
      schemaId,
      environmentIds,
      page.before?.at,
      page.before?.id,
      page.limit,
      ...(key === undefined ? [] : [key]),
    ],
  })
}

/** Returns a version with its content, or `undefined`. Reads the secrets sealed. */
export async function findVersionRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<VersionContentRow | undefined> {
  const [row] = await tx.query<VersionContentRow>({
    name: 'find-config-version',
    text: `select ${contentColumns} from config_versions v where v.org_id = $1 and v.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Lists the versions of these ids, in no order; an unknown id is left out. */
export async function findVersionRows(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<VersionContentRow[]> {
  return tx.query<VersionContentRow>({
    name: 'find-config-versions',
    text: `select ${contentColumns} from config_versions v where v.org_id = $1 and v.id = any ($2::text[])`,
    values: [orgId, ids],
  })
}

/** Describes a version by who saved it and which keys it changed. */
export interface SavedVersionRow extends Omit<VersionRow, 'changes' | 'kind' | 'schemaId'> {
  readonly changedKeys: readonly string[]
}

/** Lists what was saved of a schema after a version of each given environment, newest first. */
export async function listVersionsSince(
  tx: Tx,
  of: { readonly orgId: string; readonly schemaId: string },
  since: readonly { readonly environmentId: string; readonly version: number }[],
): Promise<SavedVersionRow[]> {
  return tx.query<SavedVersionRow>({
    name: 'list-config-versions-since',
    text: `select v.id, v.environment_id as "environmentId", v.version, v.author, v.comment,
        v.created_at as "createdAt", v.changed_keys as "changedKeys"
      from unnest($3::text[], $4::integer[]) as s (environment_id, version)
      join config_versions v on v.org_id = $1 and v.schema_id = $2
        and v.environment_id = s.environment_id and v.version > s.version
      order by v.environment_id, v.version desc`,
    values: [
      of.orgId,
      of.schemaId,
      since.map(({ environmentId }) => environmentId),
      since.map(({ version }) => version),
    ],
  })
}

/** Returns the ids of the versions before these, by environment; one that is no longer kept is left out. */
export async function findIdsBefore(
  tx: Tx,
  of: { readonly orgId: string; readonly schemaId: string },
  versions: readonly { readonly environmentId: string; readonly version: number }[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ id: string; environmentId: string }>({
    name: 'find-config-version-ids-before',
    text: `select v.id, v.environment_id as "environmentId"
      from unnest($3::text[], $4::integer[]) as s (environment_id, version)
      cross join lateral (
        select v.id, v.environment_id from config_versions v
        where v.org_id = $1 and v.schema_id = $2 and v.environment_id = s.environment_id and v.version < s.version
        order by v.version desc limit 1) v`,
    values: [
      of.orgId,
      of.schemaId,
      versions.map(({ environmentId }) => environmentId),
      versions.map(({ version }) => version),
    ],
  })
  return new Map(rows.map(({ environmentId, id }) => [environmentId, id]))
}

/** Returns the id of the version before this one; `undefined`: it is the first, or the one before is no longer kept. */
export async function findIdBefore(
  tx: Tx,
  orgId: string,
  of: Pick<VersionRow, 'schemaId' | 'environmentId' | 'version'>,
): Promise<string | undefined> {
  return (await findIdsBefore(tx, { orgId, ...of }, [of])).get(of.environmentId)
}

/** Describes how a key was changed first after some version. */
export interface NextChange extends ValueChange {
  readonly versionId: string
}

/**
 * Lists for each key the first change after a version that clients could notice: at most one, however many versions and
 * values there are.
 */
export async function listNextChanges(
  tx: Tx,
  orgId: string,
  of: Pick<VersionRow, 'schemaId' | 'environmentId' | 'version'>,
): Promise<NextChange[]> {
  const rows = await tx.query<{ id: string; change: ValueChange }>({
    name: 'list-next-config-changes',
    text: `select distinct on (change ->> 'key') v.id, coalesce(change, '{}') as change
      from config_versions v cross join lateral json_array_elements(v.changes) change
      where v.org_id = $1 and v.schema_id = $2 and v.environment_id = $3 and v.version > $4
        and (change ->> 'tier' = 'secret' or change -> 'before' is not null or change -> 'after' is not null)
      order by change ->> 'key', v.version`,
    values: [orgId, of.schemaId, of.environmentId, of.version],
  })
  return rows.map(({ id, change }) => ({ ...change, versionId: id }))
}

/** Describes the columns of a version that show values. */
export type VersionValues = Pick<
  VersionContentRow,
  'id' | 'environmentId' | 'open' | 'rules' | 'secret' | 'changes'
>

/** Lists the versions of a schema that show one of the keys: set in the environment then, or among what was changed. */
export async function listVersionsWithOpenKeys(
  tx: Tx,
  of: { readonly orgId: string; readonly schemaId: string },
  keys: readonly string[],
): Promise<VersionValues[]> {
  return tx.query<VersionValues>({
    name: 'list-config-versions-with-keys',
    text: `select v.id, v.environment_id as "environmentId", v.open_values as open, v.flag_rules as rules,
        v.secret_values as secret, v.changes
      from config_versions v where v.org_id = $1 and v.schema_id = $2
        and (exists (select from json_object_keys(v.open_values) key where key = any ($3::text[]))
          or exists (select from json_array_elements(v.changes) change
            where change ->> 'key' = any ($3::text[]) and change ->> 'tier' <> 'secret'))`,
    values: [of.orgId, of.schemaId, keys],
  })
}

/** Replaces the values of versions, all in one statement. */
export async function updateVersionValues(
  tx: Tx,
  orgId: string,
  versions: readonly Omit<VersionValues, 'environmentId'>[],
): Promise<void> {
  if (versions.length === 0) return
  await tx.query({
    name: 'update-config-version-values',
    text: `update config_versions v
      set open_values = n.open_values::json, flag_rules = n.flag_rules::json,
        secret_values = n.secret_values::json, changes = n.changes::json
      from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
        as n (id, open_values, flag_rules, secret_values, changes)
      where v.org_id = $1 and v.id = n.id`,
    values: [
      orgId,
      versions.map((version) => version.id),
      versions.map((version) => JSON.stringify(version.open)),
      versions.map((version) => JSON.stringify(version.rules)),
      versions.map((version) => JSON.stringify(version.secret)),
      versions.map((version) => JSON.stringify(version.changes)),
    ],
  })
}
