import type { Tx } from '../../store/store.ts'
import { saveRun } from './apply-run-report.ts'
import { findTestedDeployment, type TestedDeployment } from './tested-deployment.ts'
import { readCause } from '../workflows/read-cause.ts'
import { lockRun } from './run-rows.ts'
import { beginDispatch, sendDispatch, toInputs, toUnstarted } from './send-dispatch.ts'
import type { DispatchDeps, DispatchRequest } from '../test-run-deps.ts'
import type { TestRun } from './test-run.ts'

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
  if (deployment.isUnderWay && !deployment.isReplaced) return waitForJobs(deps, tx, { orgId, run })
  const { repositoryExternalId } = deployment
  if (repositoryExternalId === null) return undefined
  const stateReason = findObstacle(deployment)
  if (stateReason !== undefined) {
    const skipped = { state: 'skipped', stateReason } as const
    await saveRun(deps, tx, { orgId, run }, toUnstarted(run, deps.now(), skipped))
    return undefined
  }
  await beginDispatch(deps, tx, { orgId, run })
  const inputs = toInputs(run, deployment)
  return { orgId, repositoryExternalId, workflowId, ref: requestedRef, inputs }
}

/** Returns why a deployment that had succeeded when its tests were planned is not tested any more. */
function findObstacle({
  isReplaced,
  wasLive,
  state,
}: TestedDeployment): 'newer_deployment' | 'deployment_failed' | undefined {
  if (!isReplaced && state === 'success') return undefined
  return isReplaced || wasLive ? 'newer_deployment' : 'deployment_failed'
}

const jobsPauseMs = 15_000

/** Looks again later: a further job of the same run deploys, and the tests begin when all of them have succeeded. */
async function waitForJobs(
  { emit, jobs, now }: Pick<DispatchDeps, 'emit' | 'jobs' | 'now'>,
  tx: Tx,
  { orgId, run }: { readonly orgId: string; readonly run: TestRun },
): Promise<undefined> {
  // However long they take, it is not late.
  if (run.deadlineAt !== null)
    await saveRun({ emit }, tx, { orgId, run }, { ...run, deadlineAt: null })
  const startAfter = new Date(now().getTime() + jobsPauseMs)
  await jobs.enqueue(tx, 'testRuns.dispatch', { orgId, id: run.id }, { key: run.id, startAfter })
}
