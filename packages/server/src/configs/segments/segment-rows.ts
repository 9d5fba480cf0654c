import type { SegmentGroup } from '@signalbox/contract'
import type { Author } from '../../audit/audit-event.ts'
import { limits } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'

/** Describes a segment as it is stored. */
export interface SegmentRow {
  readonly name: string
  readonly description: string
  readonly version: number
  readonly anyOf: readonly SegmentGroup[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly updatedBy: Author
}

/** Holds the ids that a restricted key may know of; `null`: all. */
export interface UsesWithin {
  readonly schemaIds: readonly string[] | null
  readonly environmentIds: readonly string[] | null
}

const columns = `s.name, s.description, s.version, s.any_of as "anyOf", s.created_at as "createdAt",
  s.updated_at as "updatedAt", s.updated_by as "updatedBy"`

/** Finds the segment of this name. */
export async function findSegmentRow(
  tx: Tx,
  orgId: string,
  name: string,
): Promise<SegmentRow | undefined> {
  const [row] = await tx.query<SegmentRow>({
    name: 'find-segment',
    text: `select ${columns} from segments s where s.org_id = $1 and s.name = $2`,
    values: [orgId, name],
  })
  return row
}

/** Describes a segment by its name, with its groups if they were asked for. */
interface NamedSegmentRow {
  readonly name: string
  readonly anyOf: readonly SegmentGroup[] | null
}

/** Lists the names of all segments of an organization, at most 200, with the groups of those that `names` has. */
export async function listSegmentGroups(
  tx: Tx,
  orgId: string,
  names: readonly string[],
): Promise<NamedSegmentRow[]> {
  return tx.query<NamedSegmentRow>({
    name: 'list-segment-groups',
    text: `select name, case when name = any ($2::text[]) then any_of end as "anyOf"
      from segments where org_id = $1 order by name`,
    values: [orgId, names],
  })
}

/** Describes a segment in a list, with the number of flags that use it. */
export interface CountedSegmentRow extends SegmentRow {
  readonly flags: number
}

/** Lists a page of segments after a name. */
export async function pageSegmentRows(
  tx: Tx,
  orgId: string,
  {
    after,
    limit,
    within,
  }: {
    readonly after: string
    readonly limit: number
    readonly within: UsesWithin
  },
): Promise<CountedSegmentRow[]> {
  return tx.query<CountedSegmentRow>({
    name: 'page-segments',
    text: `select ${columns},
        (select count(distinct (u.schema_id, u.flag)) from segment_uses u
          where u.org_id = $1 and u.segment = s.name and ($4::text[] is null or u.schema_id = any ($4))
            and ($5::text[] is null or u.environment_id = any ($5)))::integer as flags
      from segments s where s.org_id = $1 and s.name > $2 order by s.name limit $3`,
    values: [orgId, after, limit, within.schemaIds, within.environmentIds],
  })
}

/** Describes a flag whose rules refer to a segment, in the environment that sets them. */
export interface SegmentUseRow {
  readonly schemaId: string
  readonly schema: string
  readonly environmentId: string
  readonly environment: string
  readonly flag: string
}

/** Holds the first uses of a segment, and the numbers of all. */
export interface SegmentUses {
  readonly uses: readonly SegmentUseRow[]
  readonly total: number
  /** Counts the flags, each once. */
  readonly flags: number
}

/** Lists the uses of a segment, by schema, flag and environment. */
export async function listSegmentUses(
  tx: Tx,
  { orgId, segment }: { readonly orgId: string; readonly segment: string },
  { schemaIds, environmentIds }: UsesWithin,
): Promise<SegmentUses> {
  const rows = await tx.query<SegmentUseRow & { total: number; flags: number }>({
    name: 'list-segment-uses',
    text: `with uses as materialized (
        select u.schema_id, u.environment_id, u.flag from segment_uses u
        where u.org_id = $1 and u.segment = $2 and ($3::text[] is null or u.schema_id = any ($3))
          and ($4::text[] is null or u.environment_id = any ($4))
      )
      select u.schema_id as "schemaId", c.name as schema, u.environment_id as "environmentId", e.name as environment,
        u.flag, (select count(*) from uses)::integer as total,
        (select count(distinct (schema_id, flag)) from uses)::integer as flags
      from uses u
      join config_schemas c on c.org_id = $1 and c.id = u.schema_id
      join environments e on e.org_id = $1 and e.id = u.environment_id
      order by c.name, u.flag, e.name limit ${limits.segmentUsesListed}`,
    values: [orgId, segment, schemaIds, environmentIds],
  })
  const [first] = rows
  const uses = rows.map(({ total: _total, flags: _flags, ...use }) => use)
  return { uses, total: first?.total ?? 0, flags: first?.flags ?? 0 }
}

/** Names a schema in an environment that refers to a segment. */
export interface SegmentTarget {
  readonly schemaId: string
  readonly environmentId: string
}

/** Lists the pairs of schema and environment whose stored rules refer to a segment, each once. */
export async function listSegmentTargets(
  tx: Tx,
  orgId: string,
  segment: string,
): Promise<SegmentTarget[]> {
  return tx.query<SegmentTarget>({
    name: 'list-segment-targets',
    text: `select distinct schema_id as "schemaId", environment_id as "environmentId"
      from segment_uses where org_id = $1 and segment = $2`,
    values: [orgId, segment],
  })
}

/** Counts the segments of an organization. Returns as `named` the one with this name in any case, or `null`. */
export async function countSegments(
  tx: Tx,
  orgId: string,
  name: string,
): Promise<{ readonly count: number; readonly named: string | null }> {
  const [row] = await tx.query<{ count: number; named: string | null }>({
    name: 'count-segments',
    text: `select count(*)::integer as count, max(name) filter (where lower(name) = lower($2)) as named
      from segments where org_id = $1`,
    values: [orgId, name],
  })
  return row ?? { count: 0, named: null }
}

/** Stores a segment and its newest version, and forgets the versions that are older than the limit allows. */
export async function storeSegment(
  tx: Tx,
  orgId: string,
  { row, comment }: { readonly row: SegmentRow; readonly comment: string | null },
): Promise<void> {
  await tx.query({
    name: 'store-segment',
    text: `insert into segments (org_id, name, description, version, any_of, created_at, updated_at, updated_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (org_id, name) do update set description = excluded.description, version = excluded.version,
        any_of = excluded.any_of, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
    values: [
      orgId,
      row.name,
      row.description,
      row.version,
      JSON.stringify(row.anyOf),
      row.createdAt,
      row.updatedAt,
      JSON.stringify(row.updatedBy),
    ],
  })
  await tx.query({
    name: 'store-segment-version',
    text: `with outdated as (
        delete from segment_versions where org_id = $1 and segment = $2 and version <= $3 - ${limits.versionsKept}
      )
      insert into segment_versions (org_id, segment, version, author, comment, created_at, description, any_of)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      orgId,
      row.name,
      row.version,
      JSON.stringify(row.updatedBy),
      comment,
      row.updatedAt,
      row.description,
      JSON.stringify(row.anyOf),
    ],
  })
}

/** Deletes a segment with its versions. */
export async function deleteSegmentRow(tx: Tx, orgId: string, name: string): Promise<void> {
  await tx.query({
    name: 'delete-segment',
    text: 'delete from segments where org_id = $1 and name = $2',
    values: [orgId, name],
  })
}

export interface SegmentVersionRow {
  readonly version: number
  readonly author: Author
  readonly comment: string | null
  readonly createdAt: Date
  readonly description: string
  readonly anyOf: readonly SegmentGroup[]
}

/** Lists versions of a segment below a number, newest first. */
export async function pageSegmentVersions(
  tx: Tx,
  { orgId, segment }: { readonly orgId: string; readonly segment: string },
  page: { readonly below: number | undefined; readonly limit: number },
): Promise<SegmentVersionRow[]> {
  return tx.query<SegmentVersionRow>({
    name: 'page-segment-versions',
    text: `select version, author, comment, created_at as "createdAt", description, any_of as "anyOf"
      from segment_versions where org_id = $1 and segment = $2 and version < coalesce($3, 2147483647)
      order by version desc limit $4`,
    values: [orgId, segment, page.below, page.limit],
  })
}
