import { limits, Problem, type SchemaDefinition } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import type { Tx } from '../../store/store.ts'
import { wildcardId, requireReach, type Caller } from '../../config-model/caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { noConfirmation, toPolicies } from '../../config-model/confirmation.ts'
import { toStoredDefinition } from '../../config-model/definition.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { toTree } from '../../config-model/environment-tree.ts'
import { emptyCurrentValues } from '../../config-model/current-values.ts'
import { insertCurrentRows, lockStructure } from '../values/current-rows.ts'
import { parseDefinition, type ParsedDefinition } from '../../config-model/parse-definition.ts'
import { countSchemas, insertSchemaRow, type SchemaRow } from './schema-rows.ts'
import { sealDefaults, withoutSecrets, withSecrets, type ShownSchema } from './shown-schema.ts'
import { republish, toSchemaState } from '../publication/structure.ts'
import { refuseSharedVariables } from '../../config-model/refuse-shared-variables.ts'
import { requirePlainDefaults } from './plain-defaults.ts'
import { refuseViolations } from '../../config-model/refuse.ts'
import { refuseKeptDefaults } from './stored-defaults.ts'

export interface CreateSchema {
  readonly name: string
  readonly description: string | undefined
  readonly schema: SchemaDefinition
  /** Keys whose defaults may have the form of a credential. */
  readonly allowPlain: readonly string[]
}

/**
 * Creates a schema and publishes its defaults in every environment.
 *
 * @throws {Problem} `already_exists`, `quota_exceeded`; with a pointer to each violation `validation_failed` and the codes
 * of definitions.
 */
export async function createSchema(
  deps: ConfigDeps,
  caller: Caller,
  { name, description = '', schema, allowPlain }: CreateSchema,
): Promise<ShownSchema> {
  requireReach(caller, 'writeSchemas', { schemaId: wildcardId, environmentId: wildcardId })
  const parsed = await requireDefinition(schema)
  refuseKeptDefaults(parsed)
  refuseSharedVariables(parsed.definition)
  const plain = requirePlainDefaults(parsed.definition, { allowPlain })
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    await lockStructure(tx, orgId)
    requireQuota(name, await countSchemas(tx, orgId, name))
    const now = deps.now()
    const id = newId('sch', now)
    const sealer = await deps.keys.getSealer(tx, orgId)
    const row: SchemaRow = {
      id,
      name,
      description,
      revision: 1,
      definition: toStoredDefinition(parsed.definition),
      secretDefaults: sealDefaults(sealer, { orgId, schemaId: id }, parsed.secretDefaults),
      createdAt: now,
      updatedAt: now,
    }
    await insertSchemaRow(tx, orgId, row)
    await publishSchema(deps, tx, caller, row)
    recordConfigEvent(tx, caller, {
      action: 'schema.created',
      target: { type: 'config_schema', id, name },
      detail: {
        revision: 1,
        keys: parsed.definition.size,
        ...(plain.length > 0 && { allowPlain: plain }),
      },
    })
    return caller.readsSecrets ? withSecrets(sealer, orgId, row) : withoutSecrets(row)
  })
}

/** Parses a definition; throws one {Problem} with the pointer to each violation. */
export async function requireDefinition(schema: SchemaDefinition): Promise<ParsedDefinition> {
  const result = await parseDefinition(schema)
  if ('violations' in result) throw refuseViolations(result.violations)
  return result.parsed
}

function requireQuota(
  name: string,
  { count, named }: { readonly count: number; readonly named: string | null },
): void {
  if (named !== null) throw nameTaken(name)
  if (count < limits.schemasPerOrganization) return
  const detail = `An organization has at most ${limits.schemasPerOrganization} schemas. Delete one first.`
  throw new Problem('quota_exceeded', detail)
}

/** Returns the problem of a name that another schema has, in any case of its letters. */
export function nameTaken(name: string): Problem {
  const detail = `The schema ${name} already exists. Choose another name, or replace its definition.`
  return new Problem('already_exists', detail, {
    errors: [{ pointer: '/name', code: 'already_exists', detail }],
  })
}

async function publishSchema(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  row: SchemaRow,
): Promise<void> {
  const environments = await listEnvironmentRows(tx, caller.orgId)
  const environmentIds = environments.map(({ id }) => id)
  await insertCurrentRows(
    tx,
    caller.orgId,
    environmentIds.map((environmentId) => ({ schemaId: row.id, environmentId })),
  )
  const currentValues = new Map(environmentIds.map((id) => [id, emptyCurrentValues(id)]))
  const tree = toTree(environments)
  await republish(deps, tx, caller, {
    before: { schemas: [], tree, currentValues: new Map() },
    after: {
      schemas: [toSchemaState(row)],
      tree,
      currentValues: new Map([[row.id, currentValues]]),
    },
    environmentIds,
    // Only first versions are published, which no client has read before.
    policies: toPolicies(environments),
    confirmation: noConfirmation,
    kinds: new Map(environmentIds.map((id) => [id, 'schema'])),
    otherwise: 'schema',
  })
}
