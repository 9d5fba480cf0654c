import type { Tx } from '../../store/store.ts'

/** Describes the highest versions of a schema in an environment that somebody may have read. */
export interface HighestVersions {
  readonly schemaId: string
  readonly environmentId: string
  readonly version: number
  readonly browserVersion: number
}

/** Lists the highest versions of all organizations, deleted schemas and environments included. */
export async function listHighestVersions(tx: Tx): Promise<HighestVersions[]> {
  return tx.query<HighestVersions>({
    name: 'list-highest-versions',
    text: `select schema_id as "schemaId", environment_id as "environmentId", coalesce(max(version), 0) as version,
        coalesce(max(browser_version), 0) as "browserVersion"
      from (
        select schema_id, environment_id, lost_version as version, lost_browser_version as browser_version from current_values
        union all select schema_id, environment_id, version, 0 from server_snapshots
        union all select schema_id, environment_id, 0, version from browser_snapshots
      ) s
      group by schema_id, environment_id`,
    values: [],
  })
}

/** Stores which versions the database has lost that was here before, where it still has that schema and environment. */
export async function storeLostVersions(tx: Tx, lost: readonly HighestVersions[]): Promise<void> {
  await tx.query({
    name: 'store-lost-versions',
    text: `update current_values h set lost_version = greatest(h.lost_version, n.version),
        lost_browser_version = greatest(h.lost_browser_version, n.browser_version)
      from unnest($1::text[], $2::text[], $3::integer[], $4::integer[])
        as n (schema_id, environment_id, version, browser_version)
      where h.schema_id = n.schema_id and h.environment_id = n.environment_id`,
    values: [
      lost.map(({ schemaId }) => schemaId),
      lost.map(({ environmentId }) => environmentId),
      lost.map(({ version }) => version),
      lost.map(({ browserVersion }) => browserVersion),
    ],
  })
}
