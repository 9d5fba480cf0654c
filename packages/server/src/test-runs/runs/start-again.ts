import type { RequestedRuns } from '../../providers/codehosts/run.ts'
import type { Tx } from '../../store/store.ts'
import { readCause } from '../workflows/read-cause.ts'
import type { DispatchDeps, DispatchRequest, WorkflowRef } from '../test-run-deps.ts'
import { saveRun } from './apply-run-report.ts'
import { beginDispatch, sendDispatch, toInputs, toUnstarted } from './send-dispatch.ts'
import { isAsked, type TestRun } from './test-run.ts'
import { findTestedDeployment } from './tested-deployment.ts'

/** Names the reason of a run that was not seen after its start, and was asked for a second time. */
const startedAgain = 'started_again'
/** Names the input in which a workflow gets the id of a test run. */
const idInput = 'test_run_id'

/**
 * Returns whether the host lets us be sure that a run did not start: the workflow shows our id in every run, and all
 * runs of that time were read, of which none has it or could have lost it. If the runs cannot be read, it is not sure.
 * A run is started again only once, because an unavailable host may show a run later than we look. A run that a person
 * requested is not started again: its inputs may be secret, so nothing stores them.
 */
export async function hasSurelyNotStarted(
  { runner }: Pick<DispatchDeps, 'runner'>,
  workflow: WorkflowRef,
  run: TestRun,
  candidates: RequestedRuns,
): Promise<boolean> {
  const { id, requestedRef: ref } = run
  if (isAsked(run) || run.stateReason === startedAgain || ref === null) return false
  if (mayInclude(candidates, id)) return false
  try {
    const read = await runner.readInterface({ ...workflow, ref })
    const { isStartable = false, shownInputs = [] } = read ?? {}
    return isStartable && (shownInputs === 'all' || shownInputs.includes(idInput))
  } catch (error) {
    if (readCause(error) === undefined) throw error
    return false
  }
}

/** Returns whether the run with this id may be one of those of a search, or one that the search did not read. */
function mayInclude({ runs, isComplete }: RequestedRuns, id: string): boolean {
  if (!isComplete) return true
  return runs.some(
    ({ correlation, isByApp }) => correlation === id || (correlation === null && isByApp),
  )
}

/**
 * Records that a run is being started a second time, and returns the request that `sendAgain` sends; `undefined` where its time is
 * over, or a newer deployment has replaced the one that it was to test.
 */
export async function beginAgain(
  deps: DispatchDeps,
  tx: Tx,
  { workflow, run }: { readonly workflow: WorkflowRef; readonly run: TestRun },
): Promise<DispatchRequest | 'over' | 'replaced'> {
  const { deploymentId, requestedRef: ref, deadlineAt } = run
  if (deploymentId === null || ref === null) return 'over'
  if (deadlineAt !== null && deadlineAt <= deps.now()) return 'over'
  const deployment = await findTestedDeployment(tx, workflow.orgId, deploymentId)
  if (deployment === undefined) return 'over'
  const { orgId } = workflow
  if (deployment.isReplaced || deployment.state !== 'success') {
    const skipped = { state: 'skipped', stateReason: 'newer_deployment' } as const
    await saveRun(deps, tx, { orgId, run }, toUnstarted(run, deps.now(), skipped))
    return 'replaced'
  }
  await beginDispatch(deps, tx, { orgId, run: { ...run, stateReason: startedAgain } })
  return { ...workflow, ref, inputs: toInputs(run, deployment) }
}

/** Sends the second start. Records the reason if the code host cannot be called. */
export async function sendAgain(
  deps: DispatchDeps,
  of: { readonly orgId: string; readonly runId: string },
  request: DispatchRequest,
): Promise<void> {
  try {
    await sendDispatch(deps, of, request)
  } catch (error) {
    if (readCause(error) === undefined) throw error
  }
}
