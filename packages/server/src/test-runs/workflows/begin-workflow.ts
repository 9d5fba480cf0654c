import { Problem } from '@signalbox/contract'
import { requireEnvironment, type RestrictedCaller } from '../../audit/caller.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newId } from '../../crypto/ids.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { notChosen } from '../../deployments/codehost/require-chosen-tests.ts'
import type { TrackedRepository } from '../../deployments/codehost/tracked-repository-rows.ts'
import { requireUsable } from '../../integrations/health/require-usable.ts'
import type { Integration } from '../../integrations/integration.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import { readKeyWorkflows } from '../../integrations/settings-of-kind.ts'
import { findLack } from '../../providers/capability.ts'
import { findProvider } from '../../providers/find-provider.ts'
import type { WorkflowInterface } from '../../providers/codehosts/workflow.ts'
import type { Tx } from '../../store/store.ts'
import { checkInputs, keepDeclared } from './check-inputs.ts'
import { findTestedDeployment, type TestedDeployment } from '../runs/tested-deployment.ts'
import { deleteOldDispatches, insertDispatch } from './dispatch-rows.ts'
import { enqueueFollow } from './follow-dispatch-run.ts'
import { findWorkflowRepository } from './find-workflow-repository.ts'
import { searchAfterMs } from '../runs/run-search.ts'
import { insertRun, lockUnsentRun } from '../runs/run-rows.ts'
import { beginDispatch, toInputs } from '../runs/send-dispatch.ts'
import type { DispatchDeps, DispatchRequest } from '../test-run-deps.ts'
import { askedRuleKey, newTestRun, startLimitMs, type TestRun } from '../runs/test-run.ts'
import { findWorkflowName, isCalledAlso } from './workflow-rows.ts'

/** Describes the workflow to start, and who starts it. */
export interface DispatchWorkflow {
  /** Its id, or the last segment of its path. */
  readonly workflowId: string
  readonly ref: string
  readonly inputs?: Readonly<Record<string, string>> | undefined
  /** The code host's id. */
  readonly repositoryId?: string | undefined
  /** The deployment that the run tests; left out: none. */
  readonly deploymentId?: string | undefined
}

/** Describes a start that is recorded and not sent yet: of a test run, or of a dispatch that tests nothing. */
export type RecordedDispatch = { readonly request: DispatchRequest } & (
  | { readonly testRunId: string; readonly dispatchId: null }
  | { readonly testRunId: null; readonly dispatchId: string }
)

type Deps = Pick<DispatchDeps, 'emit' | 'jobs' | 'now'>

interface WorkflowTarget {
  readonly repository: TrackedRepository
  readonly deployment: TestedDeployment | undefined
}

interface DispatchPlan extends WorkflowTarget {
  readonly command: DispatchWorkflow
  /** `undefined` where it could not be read. */
  readonly interface: WorkflowInterface | undefined
}

type TestPlan = DispatchPlan & { readonly deployment: TestedDeployment }

/** Milliseconds for which a dispatch that tests nothing is shown. */
const keptMs = 90 * 86_400_000

/**
 * Finds the repository of a workflow, and the deployment that it is to test.
 *
 * @throws {Problem} `not_found`, `validation_failed`, `key_scope_forbidden`, `integration_not_connected`, `reauth_required`,
 * `workflow_not_dispatchable`
 */
export async function findTarget(
  tx: Tx,
  caller: RestrictedCaller,
  command: DispatchWorkflow,
): Promise<WorkflowTarget> {
  const { orgId } = caller
  const { deploymentId } = command
  const integration = requireUsable(await findIntegrationRow(tx, { orgId, kind: 'codehost' }))
  requireStarts(integration)
  const deployment =
    deploymentId === undefined ? undefined : await findTestedDeployment(tx, orgId, deploymentId)
  if (deploymentId !== undefined && deployment === undefined) throw notFound()
  requireEnvironment(caller, deployment?.environmentId ?? null)
  const repository = await findWorkflowRepository(tx, orgId, { ...command, deployment })
  await requireChosen(tx, caller, integration, { repository, command })
  return { deployment, repository }
}

/** @throws {Problem} `key_scope_forbidden` where an API key starts a workflow that no admin has chosen for keys. */
async function requireChosen(
  tx: Tx,
  { orgId, author }: RestrictedCaller,
  { settings }: Pick<Integration, 'settings'>,
  { repository, command: { workflowId } }: Pick<DispatchPlan, 'repository' | 'command'>,
): Promise<void> {
  const keyWorkflows = readKeyWorkflows(settings)
  if (author.type !== 'api_key' || keyWorkflows === null) return
  const chosen = keyWorkflows
    .filter(({ repositoryId }) => repositoryId === repository.externalId)
    .map((each) => each.workflowId)
  const of = { repositoryId: repository.id, workflowId, chosen }
  if (chosen.includes(workflowId) || (await isCalledAlso(tx, orgId, of))) return
  throw new Problem('key_scope_forbidden', notChosen)
}

/** @throws {Problem} `workflow_not_dispatchable` where the code host does not let us start anything, with what to do about it. */
function requireStarts({ provider: name, scopes }: Pick<Integration, 'provider' | 'scopes'>): void {
  const provider = findProvider(name)
  const lack = provider && findLack(provider, scopes, 'startWorkflows')
  if (lack === undefined) return
  const { detail, nextStep } = lack
  throw new Problem('workflow_not_dispatchable', [detail, nextStep ?? []].flat().join(' '))
}

/**
 * Records that a workflow is being started and who starts it, and adds the job that searches for its run if no answer
 * arrives.
 *
 * @throws {Problem} as `findTarget` and `checkInputs` do.
 */
export async function beginWorkflow(
  deps: Deps,
  tx: Tx,
  caller: RestrictedCaller,
  request: Pick<DispatchPlan, 'command' | 'interface'>,
): Promise<RecordedDispatch> {
  const plan: DispatchPlan = { ...request, ...(await findTarget(tx, caller, request.command)) }
  const { deployment } = plan
  const dispatch =
    deployment === undefined
      ? await beginAlone(deps, tx, caller, plan)
      : await beginTest(deps, tx, caller, { ...plan, deployment })
  auditDispatch(tx, caller, dispatch, Object.keys(plan.command.inputs ?? {}))
  return dispatch
}

async function beginTest(
  deps: Deps,
  tx: Tx,
  { orgId }: RestrictedCaller,
  plan: TestPlan,
): Promise<RecordedDispatch> {
  const run = (await lockUnsent(tx, orgId, plan)) ?? (await planRun(deps, tx, orgId, plan))
  const request = toRequest(orgId, plan, toInputs(run, plan.deployment))
  await beginDispatch(deps, tx, { orgId, run })
  return { request, testRunId: run.id, dispatchId: null }
}

/** Returns the run that could not be sent, when a person requests the same again. */
function lockUnsent(
  tx: Tx,
  orgId: string,
  { deployment, command }: TestPlan,
): Promise<TestRun | undefined> {
  const { workflowId, ref } = command
  return lockUnsentRun(tx, orgId, { deploymentId: deployment.id, workflowId, ref })
}

/** Gives a run that a person requested a rule of its own, beside those of the settings. */
async function planRun(
  { now }: Pick<DispatchDeps, 'now'>,
  tx: Tx,
  orgId: string,
  { deployment, repository, command }: TestPlan,
): Promise<TestRun> {
  const createdAt = now()
  const id = newId('run', createdAt)
  const { workflowId } = command
  const name = await findWorkflowName(tx, orgId, { repositoryId: repository.id, workflowId })
  const run = newTestRun({
    id,
    deploymentId: deployment.id,
    environmentId: deployment.environmentId,
    repositoryId: repository.id,
    ruleKey: askedRuleKey(id),
    name: name ?? workflowId,
    workflowId,
    requestedRef: command.ref,
    deployedSha: deployment.sha,
    deadlineAt: new Date(createdAt.getTime() + startLimitMs),
    createdAt,
  })
  if (!(await insertRun(tx, orgId, run))) throw new Error('A new test run is there already')
  return run
}

async function beginAlone(
  deps: Deps,
  tx: Tx,
  { orgId, author }: RestrictedCaller,
  plan: DispatchPlan,
): Promise<RecordedDispatch> {
  const requestedAt = deps.now()
  const id = newId('dsp', requestedAt)
  // A workflow whose inputs are not known gets no id of ours: an input that it does not take costs an error.
  const own = plan.interface === undefined ? {} : { dispatch_id: id }
  const request = toRequest(orgId, plan, own)
  const { workflowId, ref } = plan.command
  await deleteOldDispatches(tx, orgId, new Date(requestedAt.getTime() - keptMs))
  await insertDispatch(tx, orgId, {
    id,
    repositoryId: plan.repository.id,
    workflowId,
    ref,
    state: 'requested',
    reason: null,
    externalId: null,
    url: null,
    requestedBy: author,
    requestedAt,
  })
  const startAfter = new Date(requestedAt.getTime() + searchAfterMs)
  await deps.jobs.enqueue(tx, 'testRuns.findDispatch', { orgId, id }, { key: id, startAfter })
  await enqueueFollow(deps, tx, { orgId, dispatchId: id, requestedAt })
  return { request, testRunId: null, dispatchId: id }
}

/** Returns the request to the code host: our inputs as far as the workflow takes them, and over them the caller's. */
function toRequest(
  orgId: string,
  plan: DispatchPlan,
  own: Readonly<Record<string, string>>,
): DispatchRequest {
  const { command, repository } = plan
  const { workflowId, ref, inputs = {} } = command
  if (plan.interface !== undefined) checkInputs(plan.interface, { ref, inputs, own })
  return {
    orgId,
    repositoryExternalId: repository.externalId,
    workflowId,
    ref,
    inputs: { ...keepDeclared(plan.interface, own), ...inputs },
  }
}

/** Records inputs by their names alone: their values may be secret. */
function auditDispatch(
  tx: Tx,
  { orgId, author, request }: RestrictedCaller,
  { request: dispatch, testRunId, dispatchId }: RecordedDispatch,
  inputs: readonly string[],
): void {
  const { workflowId, ref, repositoryExternalId: repositoryId } = dispatch
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    request,
    action: 'workflow.dispatched',
    target: { type: 'workflow', id: workflowId, name: workflowId },
    detail: { repositoryId, ref, inputs, testRunId, dispatchId },
  })
}
