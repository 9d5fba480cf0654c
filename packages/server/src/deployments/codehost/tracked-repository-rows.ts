import type { Tx } from '../../store/store.ts'

/** Describes a repository of the code host whose deployments and workflows count. */
export interface TrackedRepository {
  readonly id: string
  /** The code host's id. */
  readonly externalId: string
}

/** Lists the tracked repositories by their names; with `externalId` the one of that id alone. */
export async function listTrackedRepositories(
  tx: Tx,
  orgId: string,
  externalId?: string,
): Promise<TrackedRepository[]> {
  return tx.query<TrackedRepository>({
    name: 'list-tracked-repositories',
    text: `select id, external_id as "externalId" from repositories
      where org_id = $1 and external_id is not null and tracked and removed_at is null
        and ($2::text is null or external_id = $2)
      order by lower(full_name), id`,
    values: [orgId, externalId ?? null],
  })
}

/** Finds the repository that the code host knows by this id. */
export async function findRepositoryId(
  tx: Tx,
  orgId: string,
  externalId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'find-repository-id',
    text: 'select id from repositories where org_id = $1 and external_id = $2',
    values: [orgId, externalId],
  })
  return row?.id
}

/** Returns the code host's ids of repositories, by our ids. One that only pipelines reported has none. */
export async function mapExternalIds(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<TrackedRepository>({
    name: 'map-repository-external-ids',
    text: `select id, external_id as "externalId" from repositories
      where org_id = $1 and id = any ($2) and external_id is not null`,
    values: [orgId, ids],
  })
  return new Map(rows.map(({ id, externalId }) => [id, externalId]))
}

/** Returns the code host's id of a repository. */
export async function findExternalId(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<string | undefined> {
  return (await mapExternalIds(tx, orgId, [id])).get(id)
}
