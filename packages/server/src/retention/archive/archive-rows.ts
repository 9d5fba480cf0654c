import type { Tx } from '../../store/store.ts'

/** Describes what is archived of one thing that is deleted elsewhere. */
export interface ArchiveEntry {
  /** When it happened, in microseconds since 1970, as the database keeps it. */
  readonly micros: number
  readonly kind: 'deployment' | 'test_run' | 'version'
  readonly id: string
  readonly environmentId: string | null
  readonly repositoryId: string | null
  /** The environment at the code host. `null`: it is no deployment. */
  readonly hostEnvironment: string | null
  /** The deployment that a test run tests. */
  readonly deploymentId: string | null
  /** In lower case. */
  readonly authorName: string | null
  /** Of a version, as the next two. */
  readonly schemaId: string | null
  readonly changedKeys: readonly string[] | null
  readonly isFlip: boolean | null
  /** Holds what a search finds, in lower case. */
  readonly texts: string
  readonly change: object
  readonly page: object | null
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** Adds entries. One that is there already stays as it is. */
export async function insertArchived(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  { entries, now }: { readonly entries: readonly ArchiveEntry[]; readonly now: Date },
): Promise<void> {
  await tx.query({
    name: 'insert-archived',
    text: `insert into archive (org_id, at, kind, id, environment_id, repository_id, host_environment, deployment_id, author_name,
        schema_id, changed_keys, is_flip, texts, change, page, archived_at)
      select $1, 'epoch'::timestamptz + e.micros * interval '1 microsecond', e.kind, e.id, e.environment_id, e.repository_id,
        e.host_environment, e.deployment_id, e.author_name, e.schema_id,
        case when e.keys is not null then array(select json_array_elements_text(e.keys)) end, e.is_flip, e.texts, e.change, e.page, $2
      from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
          $12::json[], $13::boolean[], $14::text[], $15::json[], $16::json[])
        as e (micros, kind, id, environment_id, repository_id, host_environment, deployment_id, author_name, schema_id, keys,
          is_flip, texts, change, page)
      on conflict (org_id, at, id) do nothing`,
    values: [
      orgId,
      now,
      entries.map(({ micros }) => micros),
      entries.map(({ kind }) => kind),
      entries.map(({ id }) => id),
      entries.map(({ environmentId }) => environmentId),
      entries.map(({ repositoryId }) => repositoryId),
      entries.map(({ hostEnvironment }) => hostEnvironment),
      entries.map(({ deploymentId }) => deploymentId),
      entries.map(({ authorName }) => authorName),
      entries.map(({ schemaId }) => schemaId),
      entries.map(({ changedKeys }) => json(changedKeys)),
      entries.map(({ isFlip }) => isFlip),
      entries.map(({ texts }) => texts),
      entries.map(({ change }) => json(change)),
      entries.map(({ page }) => json(page)),
    ],
  })
}

/** Lists the organizations that have something in the archive, by one step down an index for each. */
export async function listArchivedOrganizations(tx: Pick<Tx, 'query'>): Promise<string[]> {
  const rows = await tx.query<{ readonly orgId: string }>({
    name: 'list-archived-organizations',
    text: `with recursive o as (
        (select org_id from archive order by org_id limit 1)
        union all
        select (select a.org_id from archive a where a.org_id > o.org_id order by a.org_id limit 1) from o where o.org_id is not null)
      select org_id as "orgId" from o where org_id is not null`,
    values: [],
  })
  return rows.map(({ orgId }) => orgId)
}

/** Deletes at most `limit` entries of an organization, and returns how many. */
export async function deleteArchived(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  limit: number,
): Promise<number> {
  const [row] = await tx.query<{ readonly count: number }>({
    name: 'delete-archived-of-organization',
    text: `with gone as (delete from archive a using (select at, id from archive where org_id = $1 limit $2) g
          where a.org_id = $1 and a.at = g.at and a.id = g.id returning 1)
      select count(*)::integer as count from gone`,
    values: [orgId, limit],
  })
  return row?.count ?? 0
}
