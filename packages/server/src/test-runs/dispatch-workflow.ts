import { newId } from '../crypto/ids.ts'
import { notFound } from '../http/problem-response.ts'
import { toProblem } from '../integrations/ask-provider.ts'
import { requireUsable } from '../integrations/require-usable.ts'
import { findIntegrationRow } from '../integrations/rows.ts'
import type { WorkflowStart } from '../providers/codehost.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { releaseKey, reviseAnswer } from '../store/idempotency.ts'
import type { Tx } from '../store/store.ts'
import { requireEnvironment, type EnvironmentCaller } from '../integrations/environment-caller.ts'
import { findTestedDeployment, type TestedDeployment } from './deployment-rows.ts'
import { refusalOf } from './refusal-of.ts'
import { insertRun } from './run-rows.ts'
import { beginDispatch, sendDispatch, toInputs } from './send-dispatch.ts'
import type { DispatchDeps, DispatchRequest } from './test-run-deps.ts'
import { newTestRun, startLimitMs } from './test-run.ts'
import { findWorkflowPlace } from './find-workflow-place.ts'
import { toDispatchProblem } from './dispatch-problem.ts'
import { noteDispatchable, type WorkflowRepository } from './workflow-rows.ts'

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

export interface DispatchedWorkflow {
  readonly request: DispatchRequest
  /** `null`: it tests no deployment. */
  readonly testRunId: string | null
  /** `undefined` as long as the code host has not said as which run. */
  readonly started: { readonly runId: string; readonly runUrl: string } | undefined
}

/**
 * Starts a workflow once. That it is being started is committed first, with the `Idempotency-Key` where there is one: a
 * repeat is told what is known and starts nothing, unless the code host has refused. A start that gave no answer is no
 * error: where it is to test a deployment, the run is looked for.
 *
 * @throws {Problem} `not_found`, `validation_failed`, `key_scope_forbidden`, `integration_not_connected`, `reauth_required`,
 * `provider_error`, `ref_not_found`, `workflow_not_dispatchable`
 */
export async function dispatchWorkflow(
  deps: DispatchDeps,
  caller: EnvironmentCaller,
  given: DispatchWorkflow,
): Promise<DispatchedWorkflow> {
  const begun = await deps.store.transaction(caller.scope, (tx) => begin(deps, tx, caller, given))
  const start = await send(deps, caller, begun)
  const known = start.outcome === 'ambiguous' ? begun : { ...begun, started: start }
  if (known.started !== undefined) {
    await deps.store.transaction(withoutKey(caller), async (tx) => {
      await noteDispatchable(tx, caller.orgId, begun.request, true)
      const { idempotency } = caller.scope
      if (idempotency !== undefined) await reviseAnswer(tx, idempotency, known)
    })
  }
  return known
}

async function begin(
  deps: DispatchDeps,
  tx: Tx,
  caller: EnvironmentCaller,
  given: DispatchWorkflow,
): Promise<DispatchedWorkflow> {
  const { orgId } = caller
  const { deploymentId, workflowId, ref, inputs = {} } = given
  requireUsable(await findIntegrationRow(tx, { orgId, kind: 'codehost' }))
  const deployment =
    deploymentId === undefined ? undefined : await findTestedDeployment(tx, orgId, deploymentId)
  if (deploymentId !== undefined && deployment === undefined) throw notFound()
  requireEnvironment(caller, deployment?.environmentId ?? null)
  const repository = await findWorkflowPlace(tx, orgId, { ...given, deployment })
  const request = { orgId, repositoryExternalId: repository.externalId, workflowId, ref, inputs }
  if (deployment === undefined) return { request, testRunId: null, started: undefined }
  const run = await planRun(deps, tx, { orgId, deployment, repository }, given)
  await beginDispatch(deps, tx, { orgId, run })
  const all = { ...toInputs(run, deployment), ...inputs }
  return { request: { ...request, inputs: all }, testRunId: run.id, started: undefined }
}

/** A run that a person asked for stands beside those that follow from the settings. */
async function planRun(
  { now }: Pick<DispatchDeps, 'now'>,
  tx: Tx,
  of: {
    readonly orgId: string
    readonly deployment: TestedDeployment
    readonly repository: WorkflowRepository
  },
  { workflowId, ref }: DispatchWorkflow,
) {
  const { orgId, deployment, repository } = of
  const createdAt = now()
  const id = newId('run', createdAt)
  const run = newTestRun({
    id,
    deploymentId: deployment.id,
    environmentId: deployment.environmentId,
    repositoryId: repository.id,
    ruleKey: `asked:${id}`,
    name: workflowId,
    workflowId,
    requestedRef: ref,
    deployedSha: deployment.sha,
    deadlineAt: new Date(createdAt.getTime() + startLimitMs),
    createdAt,
  })
  if (!(await insertRun(tx, orgId, run))) throw new Error('A new test run is there already')
  return run
}

/** @throws {Problem} when nothing was started; a repeat with the key is then another attempt. */
async function send(
  deps: DispatchDeps,
  caller: EnvironmentCaller,
  { request, testRunId }: DispatchedWorkflow,
): Promise<Exclude<WorkflowStart, { readonly outcome: 'refused' }>> {
  const { orgId } = caller
  try {
    const start =
      testRunId === null
        ? await deps.runner.dispatch(request)
        : await sendDispatch(deps, { orgId, runId: testRunId }, request)
    if (start.outcome !== 'refused') return start
    await forget(deps, caller, request, start.code)
    throw toDispatchProblem(request, start.code)
  } catch (error) {
    const code = refusalOf(error)
    if (code !== undefined) await forget(deps, caller, request, code)
    throw error instanceof ProviderError ? toProblem(error, deps.now()) : error
  }
}

/** Nothing was started: the key is free, and what was learned of the workflow is kept. */
async function forget(
  { store }: DispatchDeps,
  caller: EnvironmentCaller,
  request: DispatchRequest,
  code: string,
): Promise<void> {
  await store.transaction(withoutKey(caller), async (tx) => {
    if (code === 'no_dispatch_trigger') await noteDispatchable(tx, caller.orgId, request, false)
    const { idempotency } = caller.scope
    if (idempotency !== undefined) await releaseKey(tx, idempotency)
  })
}

function withoutKey({ scope: { orgId, userId = null } }: EnvironmentCaller) {
  return { orgId, userId }
}
