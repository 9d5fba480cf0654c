import type { Tx } from '../../store/store.ts'
import { saveRun } from './apply-run-report.ts'
import { findTestedDeployment } from './tested-deployment.ts'
import { readCause } from '../workflows/read-cause.ts'
import { lockRun } from './run-rows.ts'
import { beginDispatch, sendDispatch, toInputs, toUnstarted } from './send-dispatch.ts'
import type { DispatchDeps, DispatchRequest } from '../test-run-deps.ts'

/**
 * Starts a planned run, once. Commits the beginning before the call to the code host: when the process ends after that, no later
 * try calls again.
 */
export async function dispatchTestRun(
  deps: DispatchDeps,
  { orgId, runId }: { readonly orgId: string; readonly runId: string },
): Promise<void> {
  const request = await deps.store.transaction({ orgId }, (tx) => begin(deps, tx, orgId, runId))
  if (request === undefined) return
  try {
    await sendDispatch(deps, { orgId, runId }, request)
  } catch (error) {
    // The run holds the reason, and another try would find it begun.
    if (readCause(error) === undefined) throw error
  }
}

async function begin(
  deps: DispatchDeps,
  tx: Tx,
  orgId: string,
  runId: string,
): Promise<DispatchRequest | undefined> {
  const run = await lockRun(tx, orgId, runId)
  if (run === undefined || run.state !== 'planned' || run.dispatchedAt !== null) return undefined
  const { deploymentId, workflowId, requestedRef } = run
  if (deploymentId === null || workflowId === null || requestedRef === null) return undefined
  const deployment = await findTestedDeployment(tx, orgId, deploymentId)
  if (deployment === undefined) return undefined
  const { repositoryExternalId } = deployment
  if (deployment.isReplaced || deployment.state !== 'success' || repositoryExternalId === null) {
    const skipped = { state: 'skipped', stateReason: 'newer_deployment' } as const
    await saveRun(deps, tx, { orgId, run }, toUnstarted(run, deps.now(), skipped))
    return undefined
  }
  await beginDispatch(deps, tx, { orgId, run })
  const inputs = toInputs(run, deployment)
  return { orgId, repositoryExternalId, workflowId, ref: requestedRef, inputs }
}
