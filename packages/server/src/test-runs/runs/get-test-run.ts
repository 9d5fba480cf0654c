import { requireEnvironment, type RestrictedCaller } from '../../audit/caller.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { findRun } from './run-rows.ts'
import type { TestRunDeps } from '../test-run-deps.ts'
import type { TestRun } from './test-run.ts'

/** Returns a test run. @throws {Problem} `not_found`, `key_scope_forbidden` */
export async function getTestRun(
  { store }: Pick<TestRunDeps, 'store'>,
  caller: RestrictedCaller,
  id: string,
): Promise<TestRun> {
  const run = await store.transaction(caller.scope, (tx) => findRun(tx, caller.orgId, id))
  if (run === undefined) throw notFound()
  requireEnvironment(caller, run.environmentId)
  return run
}
