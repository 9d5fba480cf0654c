import type { VersionArchive } from '../../configs/config-deps.ts'
import type { Tx } from '../../store/store.ts'

/** Returns the archive as far as configuration is concerned with it. */
export function createVersionArchive({
  takesVersions,
}: Pick<VersionArchive, 'takesVersions'>): VersionArchive {
  return {
    takesVersions,
    hideKeys,
    deleteOfSchema,
    deleteOfEnvironment,
  }
}

interface SchemaOfOrganization {
  readonly orgId: string
  readonly schemaId: string
}

async function hideKeys(
  tx: Pick<Tx, 'query'>,
  { orgId, schemaId }: SchemaOfOrganization,
  keys: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'hide-archived-keys',
    text: `update archive a set change = (
        select json_object_agg(field, case when field <> 'changes' then value else (
          select coalesce(json_agg(case when c ->> 'key' = any ($3)
              then json_build_object('key', c -> 'key', 'tier', 'secret', 'change', c -> 'change') else c end order by at), '[]')
          from json_array_elements(value) with ordinality as e (c, at)) end)
        from json_each(a.change) as f (field, value))
      where a.org_id = $1 and a.kind = 'version' and a.schema_id = $2 and a.changed_keys && $3::text[]`,
    values: [orgId, schemaId, keys],
  })
}

async function deleteOfSchema(
  tx: Pick<Tx, 'query'>,
  { orgId, schemaId }: SchemaOfOrganization,
): Promise<void> {
  await tx.query({
    name: 'delete-archived-of-schema',
    text: `delete from archive where org_id = $1 and kind = 'version' and schema_id = $2`,
    values: [orgId, schemaId],
  })
}

async function deleteOfEnvironment(
  tx: Pick<Tx, 'query'>,
  { orgId, environmentId }: { readonly orgId: string; readonly environmentId: string },
): Promise<void> {
  await tx.query({
    name: 'delete-archived-of-environment',
    text: `delete from archive where org_id = $1 and kind = 'version' and environment_id = $2`,
    values: [orgId, environmentId],
  })
}
