import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { findSchemaRow, pageSchemaRows, type SchemaRow } from './schema-rows.ts'
import { withoutSecrets, withSecrets, type ShownSchema } from './shown-schema.ts'

/**
 * Lists schemas after an id, oldest first, one more than `limit` when there are more. A restricted key sees its own.
 */
export async function listSchemas(
  deps: ConfigDeps,
  caller: Caller,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<ShownSchema[]> {
  return deps.store.transaction(caller.scope, async (tx) => {
    const rows = await pageSchemaRows(tx, caller.orgId, {
      after: after ?? '',
      limit: limit + 1,
      ids: caller.schemaIds,
    })
    return show(deps, tx, caller, rows)
  })
}

/** Returns the schema with this id or name; throws {Problem} `not_found`, `key_scope_forbidden`. */
export async function getSchema(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
): Promise<ShownSchema> {
  return deps.store.transaction(caller.scope, async (tx) => {
    const row = await findSchemaRow(tx, caller.orgId, ref)
    requireReach(caller, 'readValues', { schemaId: row?.id ?? ref })
    const [schema] = row === undefined ? [] : await show(deps, tx, caller, [row])
    if (schema === undefined) throw notFound()
    return schema
  })
}

async function show(
  { keys }: ConfigDeps,
  tx: Tx,
  { orgId, readsSecrets }: Caller,
  rows: readonly SchemaRow[],
): Promise<ShownSchema[]> {
  const holdsSecrets = rows.some((row) => Object.keys(row.secretDefaults).length > 0)
  if (!readsSecrets || !holdsSecrets) return rows.map(withoutSecrets)
  const sealer = await keys.getSealer(tx, orgId)
  return rows.map((row) => withSecrets(sealer, orgId, row))
}
