import { limits, Problem, unprotected } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import { wildcardId, requireReach, type Caller } from '../../config-model/caller.ts'
import { commit, emitEnvironments, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { toPolicies } from '../../config-model/confirmation.ts'
import {
  applyProtection,
  refuseParent,
  refusePreviewAsParent,
  requireFreeName,
  type ProtectionChange,
} from './environment-rules.ts'
import {
  insertEnvironmentRow,
  listEnvironmentRows,
  noPreview,
  type EnvironmentRow,
} from './environment-rows.ts'
import { toTree } from '../../config-model/environment-tree.ts'
import { lockStructure } from '../values/current-rows.ts'
import { requireApprovers, requireSignals } from './require-approvers.ts'
import { publishEnvironment } from './publish-environment.ts'

/** Describes an environment to create. Without a parent it inherits nothing; without `protection` it is unprotected. */
export interface CreateEnvironment {
  readonly name: string
  readonly description?: string | undefined
  readonly production?: boolean | undefined
  readonly protection?: ProtectionChange | undefined
  readonly parentId?: string | null | undefined
}

/**
 * Creates an environment and publishes every schema in it: with the values of its parent, else with the defaults.
 *
 * @throws {Problem} `already_exists`, `quota_exceeded`, `not_found` or `conflict` for a parent that cannot be one, what
 * `requireApprovers` throws
 */
export async function createEnvironment(
  deps: ConfigDeps,
  caller: Caller,
  { name, description = '', production = false, protection, parentId = null }: CreateEnvironment,
): Promise<EnvironmentRow> {
  requireReach(caller, 'manageEnvironments', { environmentId: wildcardId })
  // Each schema is published in it.
  requireReach(caller, 'manageEnvironments', { environmentId: wildcardId, schemaId: wildcardId })
  return commit(deps, caller, async (tx) => {
    const now = deps.now()
    const id = newId('env', now)
    const times = { createdAt: now, updatedAt: now }
    const created = {
      id,
      name,
      description,
      production,
      protection: applyProtection(unprotected, protection),
      parentId,
      ...noPreview,
      revision: 1,
      ...times,
    }
    await lockStructure(tx, caller.orgId)
    const environments = await listEnvironmentRows(tx, caller.orgId)
    requireFreeName(environments, created)
    requireQuota(environments)
    const tree = toTree([...environments, created])
    refuseParent(tree, created)
    refusePreviewAsParent(environments, parentId)
    await requireSignals(tx, caller.orgId, created.protection)
    await requireApprovers(tx, caller.orgId, {
      environmentId: id,
      before: unprotected,
      after: created.protection,
    })
    await insertEnvironmentRow(tx, caller.orgId, created)
    await publishEnvironment(deps, tx, caller, {
      id,
      before: toTree(environments),
      after: tree,
      policies: toPolicies([...environments, created]),
    })
    await emitEnvironments(deps, tx, caller.orgId)
    recordConfigEvent(tx, caller, {
      action: 'environment.created',
      target: { type: 'environment', id, name },
      detail: { production, parentId, protection: created.protection },
    })
    return created
  })
}

function requireQuota(environments: readonly EnvironmentRow[]): void {
  const standard = environments.filter(({ source }) => source === null)
  if (standard.length < limits.environmentsPerOrganization) return
  const detail = `An organization has at most ${limits.environmentsPerOrganization} environments. Delete one first.`
  throw new Problem('quota_exceeded', detail)
}
