import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import { wildcardId, requireReach, type Caller } from '../../config-model/caller.ts'
import { commit, emitEnvironments, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { hasOwnValues } from '../../config-model/current-values.ts'
import { toPolicies, type Confirmation } from '../../config-model/confirmation.ts'
import { wholeEnvironment } from '../../config-model/effects.ts'
import { requireProtection } from '../../config-model/approval-check.ts'
import {
  deleteEnvironmentRow,
  findEnvironmentRow,
  listEnvironmentRows,
} from './environment-rows.ts'
import {
  lockCurrentValues,
  lockStructure,
  type CurrentValuesBySchema,
} from '../values/current-rows.ts'
import { withdrawPublications } from '../publication/publication-rows.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'

/** Describes how an environment is deleted. */
export interface DeleteEnvironment {
  /** Deletes the environment although it holds values. */
  readonly force: boolean
  readonly confirmation: Confirmation
  readonly ifMatch: number | undefined
}

/**
 * Deletes an environment, its values and its versions, and withdraws what was published of it.
 *
 * @throws {Problem} `not_found`; `environment_in_use` when others inherit from it, or when it holds values and
 * `force` is not set; `revision_mismatch`, `confirmation_required`, `comment_required`.
 */
export async function deleteEnvironment(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
  { force, confirmation, ifMatch }: DeleteEnvironment,
): Promise<void> {
  requireReach(caller, 'deleteConfig', { environmentId: wildcardId })
  // It holds values of each schema.
  requireReach(caller, 'deleteConfig', { environmentId: wildcardId, schemaId: wildcardId })
  await commit(deps, caller, async (tx) => {
    const { orgId } = caller
    await lockStructure(tx, orgId)
    const environment = await findEnvironmentRow(tx, orgId, ref)
    if (environment === undefined) throw notFound()
    requireVersion(environment.revision, ifMatch)
    if (environment.source !== null) throw isPreview(environment.name)
    const environments = await listEnvironmentRows(tx, orgId)
    const children = environments.filter(({ parentId }) => parentId === environment.id)
    if (children.length > 0) {
      const names = children.map(({ name }) => name).join(', ')
      const detail = `First give ${names} another parent, because it inherits from this environment.`
      throw new Problem('environment_in_use', detail)
    }
    const currentValues = await lockCurrentValues(tx, orgId, {
      schemaIds: null,
      environmentIds: [environment.id],
    })
    if (!force) requireEmpty(currentValues)
    requireProtection(deps, {
      policies: toPolicies(environments),
      environmentIds: [environment.id],
      confirmation,
      effects: [
        { ...wholeEnvironment(environment), before: { name: environment.name }, after: null },
      ],
    })
    const pairs = [...currentValues.keys()].map((schemaId) => ({
      schemaId,
      environmentId: environment.id,
    }))
    await withdrawPublications(tx, orgId, pairs)
    await deleteEnvironmentRow(tx, orgId, environment.id)
    await emitEnvironments(deps, tx, orgId)
    recordConfigEvent(tx, caller, {
      action: 'environment.deleted',
      target: { type: 'environment', id: environment.id, name: environment.name },
      detail: {
        force,
        ...(confirmation.comment !== undefined && { comment: confirmation.comment }),
      },
    })
  })
}

function isPreview(name: string): Problem {
  const detail = `${name} is a preview, whose keys end with it. Delete it with DELETE /preview-environments or \`signalbox previews delete ${name}\`.`
  return new Problem('environment_in_use', detail)
}

function requireEmpty(currentValues: CurrentValuesBySchema): void {
  const holds = [...currentValues.values()].some((group) => [...group.values()].some(hasOwnValues))
  if (!holds) return
  const detail = 'The environment has values. Repeat with ?force=true to delete them too.'
  throw new Problem('environment_in_use', detail)
}
