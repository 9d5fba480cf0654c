import { requireEnvironment, type RestrictedCaller } from '../../audit/caller.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { findDispatch, pageDispatches, type DispatchPosition } from './dispatch-rows.ts'
import type { WorkflowDispatch } from './dispatch.ts'
import type { TestRunDeps } from '../test-run-deps.ts'

/**
 * Lists the dispatches that test no deployment, after a position, newest first, one more than `limit` when there are more. It
 * belongs to no environment, so a key of some does not see it.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export async function listDispatches(
  { store }: Pick<TestRunDeps, 'store'>,
  caller: RestrictedCaller,
  { after, limit }: { readonly after: DispatchPosition | undefined; readonly limit: number },
): Promise<WorkflowDispatch[]> {
  requireEnvironment(caller, null)
  const page = { after, limit: limit + 1 }
  return store.transaction(caller.scope, (tx) => pageDispatches(tx, caller.orgId, page))
}

/** Returns a dispatch that tests no deployment. @throws {Problem} `not_found`, `key_scope_forbidden` */
export async function getDispatch(
  { store }: Pick<TestRunDeps, 'store'>,
  caller: RestrictedCaller,
  id: string,
): Promise<WorkflowDispatch> {
  requireEnvironment(caller, null)
  const dispatch = await store.transaction(caller.scope, (tx) => findDispatch(tx, caller.orgId, id))
  if (dispatch === undefined) throw notFound()
  return dispatch
}
