import { recordAuditEvent } from '../audit/record-event.ts'
import { newId } from '../crypto/ids.ts'
import { notFound } from '../http/problem-response.ts'
import { requireEnvironment, type EnvironmentCaller } from '../integrations/environment-caller.ts'
import { requireUsable } from '../integrations/require-usable.ts'
import { findIntegrationRow } from '../integrations/rows.ts'
import type { WorkflowDeclaration } from '../providers/codehost.ts'
import type { Tx } from '../store/store.ts'
import { checkInputs, keepDeclared } from './check-inputs.ts'
import { findTestedDeployment, type TestedDeployment } from './deployment-rows.ts'
import { deleteOldDispatches, insertDispatch } from './dispatch-rows.ts'
import { findWorkflowPlace } from './find-workflow-place.ts'
import { lookAfterMs } from './look-for-run.ts'
import { insertRun, lockUnsentRun } from './run-rows.ts'
import { beginDispatch, toInputs } from './send-dispatch.ts'
import type { DispatchDeps, DispatchRequest } from './test-run-deps.ts'
import { askedRuleKey, newTestRun, startLimitMs, type TestRun } from './test-run.ts'
import { findWorkflowName, type WorkflowRepository } from './workflow-rows.ts'

export interface DispatchWorkflow {
  /** The number, or the file's name such as `e2e.yml`. */
  readonly workflowId: string
  readonly ref: string
  readonly inputs?: Readonly<Record<string, string>> | undefined
  /** The provider's number. */
  readonly repositoryId?: string | undefined
  /** What the run is to test. */
  readonly deploymentId?: string | undefined
}

/** A start of which it is committed that it is being asked for: of a test run, or of a dispatch that tests nothing. */
export type BegunWorkflow = { readonly request: DispatchRequest } & (
  | { readonly testRunId: string; readonly dispatchId: null }
  | { readonly testRunId: null; readonly dispatchId: string }
)

type Deps = Pick<DispatchDeps, 'emit' | 'jobs' | 'now'>

interface Asked {
  readonly given: DispatchWorkflow
  readonly deployment: TestedDeployment | undefined
  readonly repository: WorkflowRepository
  readonly declaration: WorkflowDeclaration | undefined
}

/** How long it is shown what somebody started. */
const keptMs = 90 * 86_400_000

/**
 * Where the workflow is that is meant, and what it is to test.
 *
 * @throws {Problem} `not_found`, `validation_failed`, `key_scope_forbidden`, `integration_not_connected`, `reauth_required`
 */
export async function findAsked(
  tx: Tx,
  caller: EnvironmentCaller,
  given: DispatchWorkflow,
): Promise<Pick<Asked, 'deployment' | 'repository'>> {
  const { orgId } = caller
  const { deploymentId } = given
  requireUsable(await findIntegrationRow(tx, { orgId, kind: 'codehost' }))
  const deployment =
    deploymentId === undefined ? undefined : await findTestedDeployment(tx, orgId, deploymentId)
  if (deploymentId !== undefined && deployment === undefined) throw notFound()
  requireEnvironment(caller, deployment?.environmentId ?? null)
  return { deployment, repository: await findWorkflowPlace(tx, orgId, { ...given, deployment }) }
}

/**
 * Notes that a workflow is being started, who wants it, and the job that looks for its run should no answer come back.
 *
 * @throws {Problem} as `findAsked` and `checkInputs` do.
 */
export async function beginWorkflow(
  deps: Deps,
  tx: Tx,
  caller: EnvironmentCaller,
  asked: Pick<Asked, 'given' | 'declaration'>,
): Promise<BegunWorkflow> {
  const of: Asked = { ...asked, ...(await findAsked(tx, caller, asked.given)) }
  const begun =
    of.deployment === undefined
      ? await beginAlone(deps, tx, caller, of)
      : await beginTest(deps, tx, caller, { ...of, deployment: of.deployment })
  noteWho(tx, caller, begun, Object.keys(of.given.inputs ?? {}))
  return begun
}

async function beginTest(
  deps: Deps,
  tx: Tx,
  { orgId }: EnvironmentCaller,
  of: Asked & { readonly deployment: TestedDeployment },
): Promise<BegunWorkflow> {
  const run = (await takeUnsent(tx, orgId, of)) ?? (await planRun(deps, tx, orgId, of))
  const request = toRequest(orgId, of, toInputs(run, of.deployment))
  await beginDispatch(deps, tx, { orgId, run })
  return { request, testRunId: run.id, dispatchId: null }
}

/** Whoever asks once more for what could not be sent means that. */
function takeUnsent(
  tx: Tx,
  orgId: string,
  { deployment, given }: Asked & { readonly deployment: TestedDeployment },
): Promise<TestRun | undefined> {
  const { workflowId, ref } = given
  return lockUnsentRun(tx, orgId, { deploymentId: deployment.id, workflowId, ref })
}

/** A run that a person asked for stands beside those that follow from the settings. */
async function planRun(
  { now }: Pick<DispatchDeps, 'now'>,
  tx: Tx,
  orgId: string,
  { deployment, repository, given }: Asked & { readonly deployment: TestedDeployment },
): Promise<TestRun> {
  const createdAt = now()
  const id = newId('run', createdAt)
  const { workflowId } = given
  const name = await findWorkflowName(tx, orgId, { repositoryId: repository.id, workflowId })
  const run = newTestRun({
    id,
    deploymentId: deployment.id,
    environmentId: deployment.environmentId,
    repositoryId: repository.id,
    ruleKey: askedRuleKey(id),
    name: name ?? workflowId,
    workflowId,
    requestedRef: given.ref,
    deployedSha: deployment.sha,
    deadlineAt: new Date(createdAt.getTime() + startLimitMs),
    createdAt,
  })
  if (!(await insertRun(tx, orgId, run))) throw new Error('A new test run is there already')
  return run
}

async function beginAlone(
  { jobs, now }: Deps,
  tx: Tx,
  { orgId, author }: EnvironmentCaller,
  of: Asked,
): Promise<BegunWorkflow> {
  const requestedAt = now()
  const id = newId('dsp', requestedAt)
  // A workflow that wants no id of ours is not told one: undeclared inputs cost a refusal.
  const own = of.declaration === undefined ? {} : { dispatch_id: id }
  const request = toRequest(orgId, of, own)
  const { workflowId, ref } = of.given
  await deleteOldDispatches(tx, orgId, new Date(requestedAt.getTime() - keptMs))
  await insertDispatch(tx, orgId, {
    id,
    repositoryId: of.repository.id,
    workflowId,
    ref,
    state: 'requested',
    reason: null,
    externalId: null,
    url: null,
    requestedBy: author,
    requestedAt,
  })
  const startAfter = new Date(requestedAt.getTime() + lookAfterMs)
  await jobs.enqueue(tx, 'testRuns.findDispatch', { orgId, id }, { key: id, startAfter })
  return { request, testRunId: null, dispatchId: id }
}

/** What is asked of the code host: our inputs as far as they are declared, and those that the caller gives over them. */
function toRequest(
  orgId: string,
  { given, repository, declaration }: Asked,
  own: Readonly<Record<string, string>>,
): DispatchRequest {
  const { workflowId, ref, inputs = {} } = given
  if (declaration !== undefined) checkInputs(declaration, { ref, given: inputs, own })
  return {
    orgId,
    repositoryExternalId: repository.externalId,
    workflowId,
    ref,
    inputs: { ...keepDeclared(declaration, own), ...inputs },
  }
}

/** Inputs by their names alone: what they are is nobody's business but the workflow's. */
function noteWho(
  tx: Tx,
  { orgId, author, request }: EnvironmentCaller,
  { request: asked, testRunId, dispatchId }: BegunWorkflow,
  inputs: readonly string[],
): void {
  const { workflowId, ref, repositoryExternalId: repositoryId } = asked
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    request,
    action: 'workflow.dispatched',
    target: { type: 'workflow', id: workflowId, name: workflowId },
    detail: { repositoryId, ref, inputs, testRunId, dispatchId },
  })
}
