import { requireEnvironment, type RestrictedCaller } from '../../audit/caller.ts'
import { findNamedRepositoryId } from '../../deployments/codehost/repository-rows.ts'
import { pageRuns, type RunFilter, type RunPosition } from './run-rows.ts'
import type { TestRunDeps } from '../test-run-deps.ts'
import type { TestRun } from './test-run.ts'

/** Describes which runs are listed, with the repository as people name it. */
export interface ListedRuns extends Omit<RunFilter, 'environmentIds' | 'repositoryId'> {
  readonly repository?: string | undefined
}

/**
 * Lists test runs after a position, newest first, one more than `limit` when there are more. A restricted key sees those of its
 * environments.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export async function listTestRuns(
  { store }: Pick<TestRunDeps, 'store'>,
  caller: RestrictedCaller,
  { repository, ...filter }: ListedRuns,
  { after, limit }: { readonly after: RunPosition | undefined; readonly limit: number },
): Promise<TestRun[]> {
  if (filter.environmentId !== undefined) requireEnvironment(caller, filter.environmentId)
  const { environmentIds } = caller
  const page = { after, limit: limit + 1 }
  return store.transaction(caller.scope, async (tx) => {
    const { orgId } = caller
    if (repository === undefined) return pageRuns(tx, orgId, { ...filter, environmentIds }, page)
    const repositoryId = await findNamedRepositoryId(tx, orgId, repository)
    if (repositoryId === undefined) return []
    return pageRuns(tx, orgId, { ...filter, repositoryId, environmentIds }, page)
  })
}
