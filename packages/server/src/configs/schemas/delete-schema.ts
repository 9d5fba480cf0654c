import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import { wildcardId, requireReach, type Caller } from '../../config-model/caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { hasOwnValues } from '../../config-model/current-values.ts'
import { toPolicies, type Confirmation } from '../../config-model/confirmation.ts'
import { wholeEnvironment } from '../../config-model/effects.ts'
import { requireProtection } from '../../config-model/approval-check.ts'
import { lockCurrentValues, lockStructure } from '../values/current-rows.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { withdrawPublications } from '../publication/publication-rows.ts'
import { deleteSchemaRow, findSchemaRow } from './schema-rows.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'

/** Describes how a schema is deleted. */
export interface DeleteSchema {
  /** Deletes the schema although environments hold values of it. */
  readonly force: boolean
  readonly confirmation: Confirmation
  readonly ifMatch: number | undefined
}

/**
 * Deletes a schema, its values and its versions, and withdraws what was published of it.
 *
 * @throws {Problem} `not_found`; `schema_in_use` when an environment holds values of it and `force` is not set;
 * `revision_mismatch`, `confirmation_required`, `comment_required`.
 */
export async function deleteSchema(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
  { force, confirmation, ifMatch }: DeleteSchema,
): Promise<void> {
  const { orgId } = caller
  await commit(deps, caller, async (tx) => {
    await lockStructure(tx, orgId)
    const schema = await findSchemaRow(tx, orgId, ref)
    requireReach(caller, 'deleteConfig', { schemaId: schema?.id ?? ref, environmentId: wildcardId })
    if (schema === undefined) throw notFound()
    requireVersion(schema.revision, ifMatch)
    const locked = await lockCurrentValues(tx, orgId, {
      schemaIds: [schema.id],
      environmentIds: null,
    })
    const currentValues = [...(locked.get(schema.id)?.values() ?? [])]
    if (!force && currentValues.some(hasOwnValues)) {
      const detail =
        'Environments have values of this schema. Repeat with ?force=true to delete them too.'
      throw new Problem('schema_in_use', detail)
    }
    const environmentIds = currentValues.map(({ environmentId }) => environmentId)
    const environments = await listEnvironmentRows(tx, orgId)
    requireProtection(deps, {
      policies: toPolicies(environments),
      environmentIds,
      confirmation,
      effects: environments
        .filter(({ id }) => environmentIds.includes(id))
        .map((environment) => ({
          ...wholeEnvironment(environment),
          schemaId: schema.id,
          schema: schema.name,
          before: { name: schema.name },
          after: null,
        })),
    })
    const pairs = currentValues.map(({ environmentId }) => ({ schemaId: schema.id, environmentId }))
    await withdrawPublications(tx, orgId, pairs)
    await deleteSchemaRow(tx, orgId, schema.id)
    recordConfigEvent(tx, caller, {
      action: 'schema.deleted',
      target: { type: 'config_schema', id: schema.id, name: schema.name },
      detail: {
        force,
        ...(confirmation.comment !== undefined && { comment: confirmation.comment }),
      },
    })
  })
}
