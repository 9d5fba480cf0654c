import type { Tx } from '../store/store.ts'
import { saveRun } from './apply-run-report.ts'
import { findTestedDeployment, type TestedDeployment } from './deployment-rows.ts'
import { nameRun } from './name-run.ts'
import { lockRun } from './run-rows.ts'
import type { DispatchDeps, DispatchRequest } from './test-run-deps.ts'
import { ranks, startLimitMs, type TestRun } from './test-run.ts'

/** When a run is looked for whose dispatch gave no answer: first, and again until it is given up. */
export const lookAfterMs = 10_000

/**
 * Starts a planned run, once. That it is being started is committed before the code host is asked, together with the job
 * that looks for the run should no answer come back: whatever fails after that, nobody asks a second time.
 */
export async function dispatchTestRun(
  deps: DispatchDeps,
  { orgId, runId }: { readonly orgId: string; readonly runId: string },
): Promise<void> {
  const request = await deps.store.transaction({ orgId }, (tx) => begin(deps, tx, orgId, runId))
  if (request === undefined) return
  const outcome = await deps.runner.dispatch(request)
  if (outcome.outcome === 'ambiguous') return
  await deps.store.transaction({ orgId }, async (tx) => {
    if (outcome.outcome === 'started') {
      const named = { externalId: outcome.runId, url: outcome.runUrl }
      await nameRun(deps, tx, { orgId, runId }, named)
      return
    }
    const run = await lockRun(tx, orgId, runId)
    if (run?.state !== 'dispatching') return
    const refused = { state: 'errored', stateReason: outcome.code } as const
    await saveRun(deps, tx, { orgId, run }, unstarted(run, deps.now(), refused))
  })
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
    await saveRun(deps, tx, { orgId, run }, unstarted(run, deps.now(), skipped))
    return undefined
  }
  const dispatchedAt = deps.now()
  const after: TestRun = {
    ...run,
    state: 'dispatching',
    stateRank: ranks.dispatching,
    dispatchedAt,
    deadlineAt: new Date(dispatchedAt.getTime() + startLimitMs),
  }
  await saveRun(deps, tx, { orgId, run }, after)
  const startAfter = new Date(dispatchedAt.getTime() + lookAfterMs)
  await deps.jobs.enqueue(tx, 'testRuns.find', { orgId, id: runId }, { key: runId, startAfter })
  const inputs = toInputs(run, deployment)
  return { orgId, repositoryExternalId, workflowId, ref: requestedRef, inputs }
}

/** What a workflow may declare to know what it tests. Nothing secret: inputs stand in logs. */
function toInputs(run: TestRun, deployment: TestedDeployment): Record<string, string> {
  return {
    deployment_id: deployment.id,
    test_run_id: run.id,
    environment: deployment.hostEnvironment,
    environment_url: deployment.url ?? '',
    sha: deployment.sha,
  }
}

/** A run that was not started, and why. */
function unstarted(
  run: TestRun,
  finishedAt: Date,
  end: { readonly state: 'errored' | 'skipped'; readonly stateReason: string },
): TestRun {
  return { ...run, ...end, stateRank: ranks.end, finishedAt, deadlineAt: null }
}
