import type { WorkflowStart } from '../../providers/codehosts/workflow.ts'
import { readCause } from './read-cause.ts'
import { settleRun, type Settled } from './settle-run.ts'
import type { DispatchDeps, DispatchRequest } from '../test-run-deps.ts'

/**
 * Sends the start of a dispatch that tests no deployment and is recorded already, and records the outcome.
 *
 * @throws what kept the code host from being asked, after it was recorded.
 */
export async function sendAlone(
  deps: DispatchDeps,
  of: { readonly orgId: string; readonly dispatchId: string },
  request: DispatchRequest,
): Promise<WorkflowStart> {
  const { orgId, dispatchId } = of
  const settle = (settled: Settled) =>
    deps.store.transaction({ orgId }, (tx) => settleRun(tx, orgId, dispatchId, settled))
  try {
    const start = await deps.runner.dispatch(request)
    await settle(toSettled(start))
    return start
  } catch (error) {
    const code = readCause(error)
    if (code !== undefined) await settle(toRefused(code))
    throw error
  }
}

function toSettled(start: WorkflowStart): Settled {
  switch (start.outcome) {
    case 'started':
      return { state: 'sent', reason: null, externalId: start.runId, url: start.runUrl }
    case 'refused':
      return toRefused(start.error.code)
    case 'ambiguous':
      return { state: 'ambiguous', reason: null, externalId: null, url: null }
  }
}

function toRefused(reason: string): Settled {
  return { state: 'refused', reason, externalId: null, url: null }
}
