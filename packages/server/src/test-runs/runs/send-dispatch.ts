import type { WorkflowStart } from '../../providers/codehosts/workflow.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { Tx } from '../../store/store.ts'
import { saveRun } from './apply-run-report.ts'
import type { TestedDeployment } from './tested-deployment.ts'
import { nameRun } from './name-run.ts'
import { readCause } from '../workflows/read-cause.ts'
import { searchAfterMs } from './run-search.ts'
import { lockRun } from './run-rows.ts'
import type { DispatchDeps, DispatchRequest } from '../test-run-deps.ts'
import { isAsked, ranks, startLimitMs, type TestRun } from './test-run.ts'

/**
 * Records that a run is being started, with the job that searches for it should no answer come back. Once this is committed,
 * it is not started a second time, whatever fails.
 */
export async function beginDispatch(
  deps: Pick<DispatchDeps, 'emit' | 'jobs' | 'now'>,
  tx: Tx,
  { orgId, run }: { readonly orgId: string; readonly run: TestRun },
): Promise<void> {
  const dispatchedAt = deps.now()
  // However often it could not be sent, it is waited for as long as if it had been.
  const isRepeat = run.stateReason !== null
  const after: TestRun = {
    ...run,
    state: 'dispatching',
    stateRank: ranks.dispatching,
    dispatchedAt,
    deadlineAt: isRepeat ? run.deadlineAt : new Date(dispatchedAt.getTime() + startLimitMs),
  }
  await saveRun(deps, tx, { orgId, run }, after)
  const startAfter = new Date(dispatchedAt.getTime() + searchAfterMs)
  const of = { orgId, id: run.id }
  await deps.jobs.enqueue(tx, 'testRuns.find', of, { key: run.id, startAfter })
}

/**
 * Sends the start of a run that `beginDispatch` has recorded, and records the outcome. A run that was never sent is planned
 * again, with the reason.
 *
 * @throws what kept the code host from being asked, after it was recorded.
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
    const code = readCause(error)
    if (code !== undefined) await unsend(deps, of, code, retryAtOf(error))
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
    const refused = { state: 'errored', stateReason: start.error.code } as const
    await saveRun(deps, tx, { orgId, run }, toUnstarted(run, deps.now(), refused))
  })
}

const pauseMs = 60_000

function retryAtOf(error: unknown): Date | undefined {
  return error instanceof ProviderError ? error.retryAt : undefined
}

/**
 * Nothing was started. A start that follows from the settings is tried again until its time to begin has passed; a
 * person has to ask again.
 */
async function unsend(
  { store, emit, jobs, now }: DispatchDeps,
  { orgId, runId }: { readonly orgId: string; readonly runId: string },
  stateReason: string,
  retryAt: Date | undefined,
): Promise<void> {
  await store.transaction({ orgId }, async (tx) => {
    const run = await lockRun(tx, orgId, runId)
    if (run?.state !== 'dispatching' || run.externalId !== null) return
    const planned = { state: 'planned', stateRank: ranks.planned, dispatchedAt: null } as const
    await saveRun({ emit }, tx, { orgId, run }, { ...run, ...planned, stateReason })
    const startAfter = retryAt ?? new Date(now().getTime() + pauseMs)
    if (isAsked(run) || run.deadlineAt === null || startAfter >= run.deadlineAt) return
    await jobs.enqueue(tx, 'testRuns.dispatch', { orgId, id: runId }, { key: runId, startAfter })
  })
}

/** Returns the inputs that tell a workflow what to test. None is secret, because inputs appear in logs. */
export function toInputs(run: TestRun, deployment: TestedDeployment): Record<string, string> {
  return {
    deployment_id: deployment.id,
    test_run_id: run.id,
    environment: deployment.hostEnvironment,
    environment_url: deployment.url ?? '',
    sha: deployment.sha,
    ...(run.configVersion !== null && { config_version: String(run.configVersion) }),
  }
}

/** Returns a run that was not started, with the reason. */
export function toUnstarted(
  run: TestRun,
  finishedAt: Date,
  end: { readonly state: 'errored' | 'skipped'; readonly stateReason: string },
): TestRun {
  return { ...run, ...end, stateRank: ranks.end, finishedAt, deadlineAt: null }
}
