import type { WorkflowDispatchState } from '@signalbox/contract/rest'
import { toProblem } from '../integrations/ask-provider.ts'
import type { EnvironmentCaller } from '../integrations/environment-caller.ts'
import type { WorkflowDeclaration, WorkflowStart } from '../providers/codehost.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { releaseKey, reviseAnswer } from '../store/idempotency.ts'
import {
  beginWorkflow,
  findAsked,
  type BegunWorkflow,
  type DispatchWorkflow,
} from './begin-workflow.ts'
import { toDispatchProblem } from './dispatch-problem.ts'
import { refusalOf } from './refusal-of.ts'
import { sendAlone } from './send-alone.ts'
import { sendDispatch } from './send-dispatch.ts'
import type { DispatchDeps, DispatchRequest } from './test-run-deps.ts'
import { noteDispatchable } from './workflow-rows.ts'

export type DispatchedWorkflow = BegunWorkflow & {
  readonly state: WorkflowDispatchState
  /** `undefined` as long as the code host has not said as which run. */
  readonly started: { readonly runId: string; readonly runUrl: string } | undefined
}

/**
 * Starts a workflow once. That it is being started is committed first, with the `Idempotency-Key` where there is one: a
 * repeat is told what is known and starts nothing, unless the code host has refused. A start that gave no answer is no
 * error: its run is looked for. What the workflow's file refuses is never sent.
 *
 * @throws {Problem} `not_found`, `validation_failed`, `key_scope_forbidden`, `integration_not_connected`, `reauth_required`,
 * `provider_error`, `ref_not_found`, `workflow_not_dispatchable`
 */
export async function dispatchWorkflow(
  deps: DispatchDeps,
  caller: EnvironmentCaller,
  given: DispatchWorkflow,
): Promise<DispatchedWorkflow> {
  const declaration = await readDeclaration(deps, caller, given)
  const begun = await deps.store.transaction(
    caller.scope,
    async (tx): Promise<DispatchedWorkflow> => ({
      ...(await beginWorkflow(deps, tx, caller, { given, declaration })),
      state: 'requested',
      started: undefined,
    }),
  )
  const start = await send(deps, caller, begun)
  const known: DispatchedWorkflow =
    start.outcome === 'ambiguous'
      ? { ...begun, state: 'ambiguous' }
      : { ...begun, state: 'sent', started: start }
  await deps.store.transaction(withoutKey(caller), async (tx) => {
    if (known.started !== undefined) await noteDispatchable(tx, caller.orgId, begun.request, true)
    const { idempotency } = caller.scope
    if (idempotency !== undefined) await reviseAnswer(tx, idempotency, known)
  })
  return known
}

/**
 * What the workflow takes on the very branch or tag. A repeat of a request is answered as before, whatever has become of
 * the workflow since: what is wrong is said when it is begun, and a code host in trouble is asked for the start itself.
 */
async function readDeclaration(
  { store, runner }: DispatchDeps,
  caller: EnvironmentCaller,
  given: DispatchWorkflow,
): Promise<WorkflowDeclaration | undefined> {
  const { workflowId, ref } = given
  try {
    const { repository } = await store.transaction(withoutKey(caller), (tx) =>
      findAsked(tx, caller, given),
    )
    const place = { orgId: caller.orgId, repositoryExternalId: repository.externalId, workflowId }
    return await runner.readDeclaration({ ...place, ref })
  } catch {
    return undefined
  }
}

/** @throws {Problem} when nothing was started; a repeat with the key is then another attempt. */
async function send(
  deps: DispatchDeps,
  caller: EnvironmentCaller,
  { request, ...of }: BegunWorkflow,
): Promise<Exclude<WorkflowStart, { readonly outcome: 'refused' }>> {
  const { orgId } = caller
  try {
    const start =
      of.testRunId === null
        ? await sendAlone(deps, { orgId, dispatchId: of.dispatchId }, request)
        : await sendDispatch(deps, { orgId, runId: of.testRunId }, request)
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
