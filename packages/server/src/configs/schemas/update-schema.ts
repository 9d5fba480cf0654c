import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { wildcardId, requireReach, type Caller } from '../../config-model/caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { toPolicies, type Confirmation } from '../../config-model/confirmation.ts'
import { nameTaken } from './create-schema.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { toTree } from '../../config-model/environment-tree.ts'
import { lockCurrentValues, lockStructure } from '../values/current-rows.ts'
import { countSchemas, findSchemaRow, updateSchemaRow, type SchemaRow } from './schema-rows.ts'
import { withoutSecrets, withSecrets, type ShownSchema } from './shown-schema.ts'
import { republish, toSchemaState } from '../publication/structure.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'

/** Describes a change of a schema's name or description; what it leaves out stays as it is. */
export interface UpdateSchema {
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/**
 * Renames or describes a schema. A new name is published at once.
 *
 * @throws {Problem} `not_found`, `already_exists`, `revision_mismatch`, `confirmation_required`, `comment_required`
 */
export async function updateSchema(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
  change: UpdateSchema & {
    readonly ifMatch: number | undefined
    readonly confirmation: Confirmation
  },
): Promise<ShownSchema> {
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    await lockStructure(tx, orgId)
    const existing = await findSchemaRow(tx, orgId, ref)
    requireReach(caller, 'writeSchemas', {
      schemaId: existing?.id ?? ref,
      environmentId: wildcardId,
    })
    if (existing === undefined) throw notFound()
    requireVersion(existing.revision, change.ifMatch)
    const fields = (['name', 'description'] as const).filter(
      (field) => change[field] !== undefined && change[field] !== existing[field],
    )
    const updated: SchemaRow = {
      ...existing,
      name: change.name ?? existing.name,
      description: change.description ?? existing.description,
      // Or else two people who rename or describe it at the same time would overwrite each other.
      revision: fields.length > 0 ? existing.revision + 1 : existing.revision,
      updatedAt: fields.length > 0 ? deps.now() : existing.updatedAt,
    }
    const { confirmation } = change
    if (fields.length > 0)
      await store(deps, tx, caller, { existing, updated, fields, confirmation })
    if (!caller.readsSecrets) return withoutSecrets(updated)
    return withSecrets(await deps.keys.getSealer(tx, orgId), orgId, updated)
  })
}

interface Change {
  readonly existing: SchemaRow
  readonly updated: SchemaRow
  readonly fields: readonly string[]
  readonly confirmation: Confirmation
}

async function store(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { existing, updated, fields, confirmation }: Change,
): Promise<void> {
  const { orgId } = caller
  if (fields.includes('name')) {
    const { named } = await countSchemas(tx, orgId, updated.name)
    if (named !== null && named !== updated.id) throw nameTaken(updated.name)
  }
  await updateSchemaRow(tx, orgId, updated)
  if (fields.includes('name'))
    await publishName(deps, tx, caller, { existing, updated, confirmation })
  recordConfigEvent(tx, caller, {
    action: 'schema.changed',
    target: { type: 'config_schema', id: updated.id, name: updated.name },
    detail: { fields, revision: updated.revision },
  })
}

async function publishName(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { existing, updated, confirmation }: Omit<Change, 'fields'>,
): Promise<void> {
  const environments = await listEnvironmentRows(tx, caller.orgId)
  const tree = toTree(environments)
  const currentValues = await lockCurrentValues(tx, caller.orgId, {
    schemaIds: [existing.id],
    environmentIds: null,
  })
  await republish(deps, tx, caller, {
    before: { schemas: [toSchemaState(existing)], tree, currentValues },
    after: { schemas: [toSchemaState(updated)], tree, currentValues },
    environmentIds: [...tree.keys()],
    policies: toPolicies(environments),
    confirmation,
    kinds: new Map([...tree.keys()].map((id) => [id, 'renamed'])),
    otherwise: 'renamed',
  })
}
