import type { Tx } from '../../store/store.ts'

/** Names a version of a schema's values. */
export interface SchemaVersion {
  readonly schemaId: string
  readonly version: number
}

/** Lists the version of each schema that an environment had at a moment, by the schemas' ids. */
export async function listVersionsAt(
  tx: Tx,
  orgId: string,
  environmentId: string,
  at: Date,
): Promise<SchemaVersion[]> {
  return tx.query<SchemaVersion>({
    name: 'list-config-versions-at',
    text: `select v.schema_id as "schemaId", v.version
      from current_values h cross join lateral (
        select schema_id, version from config_versions v
        where v.org_id = $1 and v.schema_id = h.schema_id and v.environment_id = h.environment_id
          and v.created_at <= $3
        order by v.version desc limit 1) v
      where h.org_id = $1 and h.environment_id = $2 order by v.schema_id`,
    values: [orgId, environmentId, at],
  })
}
