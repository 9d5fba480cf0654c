import type { WorkflowStart } from '../providers/codehost.ts'
import type { Tx } from '../store/store.ts'
import { saveRun } from './apply-run-report.ts'
import type { TestedDeployment } from './deployment-rows.ts'
import { nameRun } from './name-run.ts'
import { refusalOf } from './refusal-of.ts'
import { lockRun } from './run-rows.ts'
import type { DispatchDeps, DispatchRequest } from './test-run-deps.ts'
import { ranks, startLimitMs, type TestRun } from './test-run.ts'

/** When a run is looked for whose dispatch gave no answer: first, and again until it is given up. */
export const lookAfterMs = 10_000

/**
 * Notes that a run is being started, with the job that looks for it should no answer come back. Once this is committed,
 * nobody starts it a second time, whatever fails.
 */
export async function beginDispatch(
  deps: Pick<DispatchDeps, 'emit' | 'jobs' | 'now'>,
  tx: Tx,
  { orgId, run }: { readonly orgId: string; readonly run: TestRun },
): Promise<void> {
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
  const of = { orgId, id: run.id }
  await deps.jobs.enqueue(tx, 'testRuns.find', of, { key: run.id, startAfter })
}

/**
 * Asks the code host for a run that `beginDispatch` has noted, and notes what came of it.
 *
 * @throws what kept the code host from being asked, when that is noted.
 */
export async function sendDispatch(
  deps: DispatchDeps,
  of: { readonly orgId: string; readonly runId: string },
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
  deps: DispatchDeps,
  { orgId, runId }: { readonly orgId: string; readonly runId: string },
  start: WorkflowStart,
): Promise<void> {
  if (start.outcome === 'ambiguous') return
  await deps.store.transaction({ orgId }, async (tx) => {
    if (start.outcome === 'started') {
      const named = { externalId: start.runId, url: start.runUrl }
      await nameRun(deps, tx, { orgId, runId }, named)
      return
    }
    const run = await lockRun(tx, orgId, runId)
    if (run?.state !== 'dispatching') return
    const refused = { state: 'errored', stateReason: start.code } as const
    await saveRun(deps, tx, { orgId, run }, toUnstarted(run, deps.now(), refused))
  })
}

/** What a workflow may declare to know what it tests. Nothing secret: inputs stand in logs. */
export function toInputs(run: TestRun, deployment: TestedDeployment): Record<string, string> {
  return {
    deployment_id: deployment.id,
    test_run_id: run.id,
    environment: deployment.hostEnvironment,
    environment_url: deployment.url ?? '',
    sha: deployment.sha,
  }
}

/** A run that was not started, and why. */
export function toUnstarted(
  run: TestRun,
  finishedAt: Date,
  end: { readonly state: 'errored' | 'skipped'; readonly stateReason: string },
): TestRun {
  return { ...run, ...end, stateRank: ranks.end, finishedAt, deadlineAt: null }
}
