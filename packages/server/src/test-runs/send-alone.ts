import type { WorkflowStart } from '../providers/codehost.ts'
import { settleDispatch } from './dispatch-rows.ts'
import { refusalOf } from './refusal-of.ts'
import type { DispatchDeps, DispatchRequest } from './test-run-deps.ts'

/**
 * Asks the code host for a start that tests no deployment, of which a row says already that it is asked for, and notes what
 * came of it.
 *
 * @throws what kept the code host from being asked, when that is noted.
 */
export async function sendAlone(
  deps: DispatchDeps,
  of: { readonly orgId: string; readonly dispatchId: string },
  request: DispatchRequest,
): Promise<WorkflowStart> {
  try {
    const start = await deps.runner.dispatch(request)
    await settle(deps, of, start)
    return start
  } catch (error) {
    const code = refusalOf(error)
    if (code !== undefined) await settle(deps, of, { outcome: 'refused', code })
    throw error
  }
}

async function settle(
  { store }: DispatchDeps,
  { orgId, dispatchId }: { readonly orgId: string; readonly dispatchId: string },
  start: WorkflowStart,
): Promise<void> {
  const of =
    start.outcome === 'started'
      ? ({ state: 'sent', reason: null, externalId: start.runId, url: start.runUrl } as const)
      : start.outcome === 'refused'
        ? ({ state: 'refused', reason: start.code, externalId: null, url: null } as const)
        : ({ state: 'ambiguous', reason: null, externalId: null, url: null } as const)
  await store.transaction({ orgId }, (tx) => settleDispatch(tx, orgId, dispatchId, of))
}
