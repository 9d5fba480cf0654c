import { requireEnvironment, type RestrictedCaller } from '../../audit/caller.ts'
import type { DeploymentDeps } from '../../deployments/deployment-deps.ts'
import { toIssueKey } from '../../providers/issue-keys/issue-grammars.ts'
import {
  pageDeploymentRows,
  type DeploymentFilter,
  type DeploymentRow,
  type ListPosition,
} from './list-rows.ts'

/** Describes a page of deployments. */
export interface ListDeployments {
  readonly filter: Omit<DeploymentFilter, 'environmentIds'>
  readonly after: ListPosition | undefined
  readonly limit: number
}

/**
 * Lists deployments, newest first, one more than `limit` when there are more. A restricted key sees those of its environments.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export async function listDeployments(
  { store }: Pick<DeploymentDeps, 'store'>,
  caller: RestrictedCaller,
  { filter, after, limit }: ListDeployments,
): Promise<DeploymentRow[]> {
  if (filter.environmentId !== undefined) requireEnvironment(caller, filter.environmentId)
  const { orgId, environmentIds } = caller
  const issueKey = filter.issueKey && (toIssueKey(filter.issueKey) ?? filter.issueKey)
  return store.transaction(caller.scope, (tx) =>
    pageDeploymentRows(
      tx,
      orgId,
      { ...filter, issueKey, environmentIds },
      { after, limit: limit + 1 },
    ),
  )
}
