import type { Caller } from '../../audit/caller.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { findDispatch, pageDispatches, type DispatchPosition } from './dispatch-rows.ts'
import type { WorkflowDispatch } from './dispatch.ts'
import type { TestRunDeps } from '../test-run-deps.ts'

/**
 * Lists the dispatches that test no deployment, after a position, newest first, one more than `limit` when there are more. They
 * belong to no environment.
 */
export async function listDispatches(
  { store }: Pick<TestRunDeps, 'store'>,
  caller: Caller,
  { after, limit }: { readonly after: DispatchPosition | undefined; readonly limit: number },
): Promise<WorkflowDispatch[]> {
  const page = { after, limit: limit + 1 }
  return store.transaction(caller.scope, (tx) => pageDispatches(tx, caller.orgId, page))
}

/** Returns a dispatch that tests no deployment. @throws {Problem} `not_found` */
export async function getDispatch(
  { store }: Pick<TestRunDeps, 'store'>,
  caller: Caller,
  id: string,
): Promise<WorkflowDispatch> {
  const dispatch = await store.transaction(caller.scope, (tx) => findDispatch(tx, caller.orgId, id))
  if (dispatch === undefined) throw notFound()
  return dispatch
}
