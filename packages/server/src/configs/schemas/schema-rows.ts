import { isAnyId } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import type { StoredDefinition } from '../../config-model/definition.ts'

/** Describes a schema as it is stored. */
export interface SchemaRow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly revision: number
  readonly definition: StoredDefinition
  /** Key name to sealed default, base64. */
  readonly secretDefaults: Readonly<Record<string, string>>
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `id, name, description, revision, definition, secret_defaults as "secretDefaults",
  created_at as "createdAt", updated_at as "updatedAt"`

/** Lists every schema of an organization, oldest first. There are at most fifty. */
export async function listSchemaRows(tx: Tx, orgId: string): Promise<SchemaRow[]> {
  return tx.query<SchemaRow>({
    name: 'list-config-schemas',
    text: `select ${columns} from config_schemas where org_id = $1 order by id`,
    values: [orgId],
  })
}

/** Lists a page of schemas after an id, oldest first; `ids` narrows it to what a restricted key may see. */
export async function pageSchemaRows(
  tx: Tx,
  orgId: string,
  page: { readonly after: string; readonly limit: number; readonly ids: readonly string[] | null },
): Promise<SchemaRow[]> {
  return tx.query<SchemaRow>({
    name: 'page-config-schemas',
    text: `select ${columns} from config_schemas
      where org_id = $1 and id > $2 and ($4::text[] is null or id = any ($4)) order by id limit $3`,
    values: [orgId, page.after, page.limit, page.ids],
  })
}

/** Finds the schema with this id, or with this name in any case. A name never has the form of an id. */
export async function findSchemaRow(
  tx: Tx,
  orgId: string,
  ref: string,
): Promise<SchemaRow | undefined> {
  const byId = isAnyId(ref)
  const [row] = await tx.query<SchemaRow>({
    name: byId ? 'find-config-schema' : 'find-config-schema-by-name',
    text: `select ${columns} from config_schemas
      where org_id = $1 and ${byId ? 'id = $2' : 'lower(name) = lower($2)'}`,
    values: [orgId, ref],
  })
  return row
}

/**
 * Counts the schemas of an organization. Returns as `named` the id of the one with this name in any case, or `null`.
 */
export async function countSchemas(
  tx: Tx,
  orgId: string,
  name: string,
): Promise<{ readonly count: number; readonly named: string | null }> {
  const [row] = await tx.query<{ count: number; named: string | null }>({
    name: 'count-config-schemas',
    text: `select count(*)::integer as count, max(id) filter (where lower(name) = lower($2)) as named
      from config_schemas where org_id = $1`,
    values: [orgId, name],
  })
  return row ?? { count: 0, named: null }
}

/** Inserts a schema. The caller has checked that its name is free. */
export async function insertSchemaRow(tx: Tx, orgId: string, row: SchemaRow): Promise<void> {
  await tx.query({
    name: 'insert-config-schema',
    text: `insert into config_schemas (org_id, id, name, description, revision, definition, secret_defaults,
      created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      orgId,
      row.id,
      row.name,
      row.description,
      row.revision,
      JSON.stringify(row.definition),
      JSON.stringify(row.secretDefaults),
      row.createdAt,
      row.updatedAt,
    ],
  })
}

/** Updates every column of a schema except its id and its creation. */
export async function updateSchemaRow(tx: Tx, orgId: string, row: SchemaRow): Promise<void> {
  await tx.query({
    name: 'update-config-schema',
    text: `update config_schemas set name = $3, description = $4, revision = $5, definition = $6,
      secret_defaults = $7, updated_at = $8 where org_id = $1 and id = $2`,
    values: [
      orgId,
      row.id,
      row.name,
      row.description,
      row.revision,
      JSON.stringify(row.definition),
      JSON.stringify(row.secretDefaults),
      row.updatedAt,
    ],
  })
}

/** Deletes a schema with its current values and versions. */
export async function deleteSchemaRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-config-schema',
    text: 'delete from config_schemas where org_id = $1 and id = $2',
    values: [orgId, id],
  })
}
