import { findEnvironmentRow } from '../configs/environments/environment-rows.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import {
  listDeploymentChanges,
  listTestRunChanges,
  listVersionChanges,
  type DeploymentChange,
  type ListChangeRows,
  type TestRunChange,
  type VersionChange,
} from '../read-models/overview/change-rows.ts'

/** Describes a change of an environment: a deployment, a test run or a version of a configuration. */
export type AnyChange = DeploymentChange | TestRunChange | VersionChange

/** Describes a page of the changes of an organization, or of one environment. */
export interface ListChanges extends ListChangeRows {
  readonly orgId: string
  readonly scope: Scope
}

/**
 * Lists what changed environments, newest first, one more than `limit` when there is more: it merges a page of each kind.
 *
 * @throws {Problem} `not_found` for an environment that is not there
 */
export async function listChanges(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  { orgId, scope, limit, ...of }: ListChanges,
): Promise<AnyChange[]> {
  const query = { ...of, limit: limit + 1 }
  const changes = await store.transaction(scope, async (tx) => {
    const { environmentId } = of
    if (
      environmentId !== undefined &&
      (await findEnvironmentRow(tx, orgId, environmentId)) === undefined
    )
      throw notFound()
    return Promise.all([
      listDeploymentChanges(tx, orgId, query),
      listTestRunChanges(tx, orgId, query),
      listVersionChanges(tx, orgId, query),
    ])
  })
  return changes
    .flat()
    .toSorted(newestFirst)
    .slice(0, limit + 1)
}

function newestFirst(one: AnyChange, other: AnyChange): number {
  const difference = other.micros - one.micros
  if (difference !== 0) return difference
  return one.id < other.id ? 1 : -1
}
