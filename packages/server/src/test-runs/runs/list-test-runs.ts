import { requireEnvironment, type RestrictedCaller } from '../../audit/caller.ts'
import { pageRuns, type RunFilter, type RunPosition } from './run-rows.ts'
import type { TestRunDeps } from '../test-run-deps.ts'
import type { TestRun } from './test-run.ts'

/**
 * Lists test runs after a position, newest first, one more than `limit` when there are more. A restricted key sees those of its
 * environments.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export async function listTestRuns(
  { store }: Pick<TestRunDeps, 'store'>,
  caller: RestrictedCaller,
  filter: Omit<RunFilter, 'environmentIds'>,
  { after, limit }: { readonly after: RunPosition | undefined; readonly limit: number },
): Promise<TestRun[]> {
  if (filter.environmentId !== undefined) requireEnvironment(caller, filter.environmentId)
  const { environmentIds } = caller
  const page = { after, limit: limit + 1 }
  return store.transaction(caller.scope, (tx) =>
    pageRuns(tx, caller.orgId, { ...filter, environmentIds }, page),
  )
}
