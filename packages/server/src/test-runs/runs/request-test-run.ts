import { newId } from '../../crypto/ids.ts'
import type { Tx } from '../../store/store.ts'
import { contaminate, saveRun } from './apply-run-report.ts'
import { chooseRef } from '../workflows/choose-ref.ts'
import { chooseWorkflows, type ChosenWorkflow } from '../workflows/choose-workflow.ts'
import {
  findTestedDeployment,
  listDisturbedRuns,
  readTestWorkflows,
  type TestedDeployment,
} from './tested-deployment.ts'
import { haveTestedPart, insertRun, lockRun } from './run-rows.ts'
import type { DispatchDeps } from '../test-run-deps.ts'
import { toUnstarted } from './send-dispatch.ts'
import { newTestRun, repeatedRuleKey, startLimitMs, type TestRun } from './test-run.ts'
import { findWorkflowName } from '../workflows/workflow-rows.ts'

/**
 * Plans the test runs of a successful deployment, one for each workflow however often it is called, and one more where a further job
 * has deployed since they began. Marks runs that were under way when it went live as contaminated. A run starts when its deployment
 * has been the newest one of its target for long enough. One that was replaced before it was known has a run as well, which says so.
 */
export async function requestTestRuns(
  deps: Pick<DispatchDeps, 'store' | 'emit' | 'jobs' | 'now'>,
  { orgId, deploymentId }: { readonly orgId: string; readonly deploymentId: string },
): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const deployment = await findTestedDeployment(tx, orgId, deploymentId)
    if (deployment === undefined) return
    await contaminateDisturbed(deps, tx, orgId, deployment)
    const workflows = await readTestWorkflows(tx, orgId)
    for (const chosen of chooseWorkflows(deployment, workflows)) {
      await planRun(deps, tx, { orgId, deployment }, chosen)
    }
  })
}

/** Describes a run that is to be planned. */
export interface PlannedRun extends Pick<ChosenWorkflow, 'ruleKey' | 'notBefore'> {
  readonly workflow: Pick<ChosenWorkflow['workflow'], 'workflowId' | 'deadlineMinutes'>
  /** The version whose proof asks for it. Left out: the deployment does. */
  readonly configVersion?: number
}

/** Plans a run, once for its rule. */
export async function planRun(
  { emit, jobs, now }: Pick<DispatchDeps, 'emit' | 'jobs' | 'now'>,
  tx: Tx,
  { orgId, deployment }: { readonly orgId: string; readonly deployment: TestedDeployment },
  { workflow, ruleKey, notBefore, configVersion }: PlannedRun,
): Promise<void> {
  const createdAt = now()
  const isLater = notBefore > createdAt
  const startAfter = isLater ? notBefore : createdAt
  const { repositoryId } = deployment
  const { workflowId } = workflow
  const name = (await findWorkflowName(tx, orgId, { repositoryId, workflowId })) ?? workflowId
  const planned = newTestRun({
    id: newId('run', createdAt),
    deploymentId: deployment.id,
    environmentId: deployment.environmentId,
    repositoryId,
    ruleKey,
    name: configVersion === undefined ? name : `${name} with configuration v${configVersion}`,
    configVersion: configVersion ?? null,
    workflowId,
    requestedRef: chooseRef(deployment),
    deployedSha: deployment.sha,
    deadlineMinutes: workflow.deadlineMinutes,
    deadlineAt: new Date(startAfter.getTime() + startLimitMs),
    createdAt,
  })
  const run = isTestable(deployment)
    ? planned
    : toUnstarted(planned, createdAt, { state: 'skipped', stateReason: 'newer_deployment' })
  if (!(await insertRun(tx, orgId, run)) && !(await insertRepeat(tx, orgId, deployment, run)))
    return
  await emit(tx, 'testRun.changed', { orgId, id: run.id })
  if (run !== planned) return
  await jobs.enqueue(
    tx,
    'testRuns.dispatch',
    { orgId, id: run.id },
    {
      key: run.id,
      ...(isLater && { startAfter }),
    },
  )
}

/**
 * Adds a run where a further job of the deployment has deployed since its tests began: what they say is true of a part. Where one
 * waits to begin, it waits for that job as well.
 */
async function insertRepeat(
  tx: Tx,
  orgId: string,
  { id, liveAt, hasJobs }: TestedDeployment,
  run: TestRun,
): Promise<boolean> {
  const { ruleKey, configVersion } = run
  if (!hasJobs || ruleKey === null || configVersion !== null) return false
  const isDue = await haveTestedPart(tx, orgId, { deploymentId: id, ruleKey, liveAt })
  return isDue && insertRun(tx, orgId, { ...run, ruleKey: repeatedRuleKey(ruleKey, liveAt) })
}

/** One that is learned of late, as after a restart, may have been replaced already. */
function isTestable({ state, isReplaced }: TestedDeployment): boolean {
  return state === 'success' && !isReplaced
}

async function contaminateDisturbed(
  deps: Pick<DispatchDeps, 'emit'>,
  tx: Tx,
  orgId: string,
  deployment: TestedDeployment,
): Promise<void> {
  for (const id of await listDisturbedRuns(tx, orgId, deployment)) {
    const run = await lockRun(tx, orgId, id)
    if (run === undefined || run.contaminatedBy !== null) continue
    await saveRun(deps, tx, { orgId, run }, await contaminate(tx, orgId, run, deployment.id))
  }
}
