import type { RestrictedCaller } from '../../audit/caller.ts'
import type { WorkflowDispatchState } from '@signalbox/contract/rest'
import { findRepositoryId } from '../../deployments/codehost/tracked-repository-rows.ts'
import { toProblem } from '../../integrations/grants/ask-provider.ts'
import {
  notStartable,
  type WorkflowInterface,
  type WorkflowStart,
} from '../../providers/codehosts/workflow.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { releaseKey, reviseAnswer } from '../../store/idempotency.ts'
import type { Tx } from '../../store/store.ts'
import {
  beginWorkflow,
  findTarget,
  type DispatchWorkflow,
  type RecordedDispatch,
} from './begin-workflow.ts'
import { toDispatchProblem } from './dispatch-problem.ts'
import { readCause } from './read-cause.ts'
import { sendAlone } from './send-alone.ts'
import { sendDispatch } from '../runs/send-dispatch.ts'
import type { DispatchDeps, DispatchRequest } from '../test-run-deps.ts'
import { noteStartable } from './workflow-rows.ts'

/** Describes a start after it was sent. */
export type SentDispatch = RecordedDispatch & {
  readonly state: WorkflowDispatchState
  /** `undefined` as long as the code host has not named the run. */
  readonly started: { readonly runId: string; readonly runUrl: string | null } | undefined
}

/**
 * Starts a workflow once. The start is committed before it is sent, with the `Idempotency-Key` if there is one: a
 * repeated request returns the recorded start and starts nothing, unless the code host has refused it. A start without
 * an answer is not an error: a job searches for its run. Inputs that the workflow does not allow are never sent.
 *
 * @throws {Problem} `not_found`, `validation_failed`, `key_scope_forbidden`, `integration_not_connected`,
 * `reauth_required`, `provider_error`, `ref_not_found`, `workflow_not_dispatchable`
 */
export async function dispatchWorkflow(
  deps: DispatchDeps,
  caller: RestrictedCaller,
  command: DispatchWorkflow,
): Promise<SentDispatch> {
  const workflowInterface = await readInterface(deps, caller, command)
  const dispatch = await deps.store.transaction(
    caller.scope,
    async (tx): Promise<SentDispatch> => ({
      ...(await beginWorkflow(deps, tx, caller, { command, interface: workflowInterface })),
      state: 'requested',
      started: undefined,
    }),
  )
  const start = await send(deps, caller, dispatch)
  const sent: SentDispatch =
    start.outcome === 'ambiguous'
      ? { ...dispatch, state: 'ambiguous' }
      : { ...dispatch, state: 'sent', started: start }
  await deps.store.transaction(withoutKey(caller), async (tx) => {
    if (sent.started !== undefined) await note(tx, dispatch.request, true)
    const { idempotency } = caller.scope
    if (idempotency !== undefined) await reviseAnswer(tx, idempotency, sent)
  })
  return sent
}

/**
 * Reads the inputs of the workflow on that branch or tag. Ignores errors: a repeated request gets its first answer, whatever became
 * of the workflow since, and a code host that is unavailable gets the request to start anyway.
 */
async function readInterface(
  { store, runner }: DispatchDeps,
  caller: RestrictedCaller,
  command: DispatchWorkflow,
): Promise<WorkflowInterface | undefined> {
  const { workflowId, ref } = command
  try {
    const { repository } = await store.transaction(withoutKey(caller), (tx) =>
      findTarget(tx, caller, command),
    )
    const workflow = {
      orgId: caller.orgId,
      repositoryExternalId: repository.externalId,
      workflowId,
    }
    return await runner.readInterface({ ...workflow, ref })
  } catch {
    return undefined
  }
}

/** @throws {Problem} when nothing was started; a repeat with the key is then another attempt. */
async function send(
  deps: DispatchDeps,
  caller: RestrictedCaller,
  dispatch: RecordedDispatch,
): Promise<Exclude<WorkflowStart, { readonly outcome: 'refused' }>> {
  const { request } = dispatch
  const start = await sendRecorded(deps, caller, dispatch)
  if (start.outcome !== 'refused') return start
  const { error } = start
  await forget(deps, caller, request, error.code)
  throw toDispatchProblem(request.ref, error.code, error.provider) ?? toProblem(error, deps.now())
}

async function sendRecorded(
  deps: DispatchDeps,
  caller: RestrictedCaller,
  { request, ...of }: RecordedDispatch,
): Promise<WorkflowStart> {
  const { orgId } = caller
  try {
    return of.testRunId === null
      ? await sendAlone(deps, { orgId, dispatchId: of.dispatchId }, request)
      : await sendDispatch(deps, { orgId, runId: of.testRunId }, request)
  } catch (error) {
    const code = readCause(error)
    if (code !== undefined) await forget(deps, caller, request, code)
    throw error instanceof ProviderError ? toProblem(error, deps.now()) : error
  }
}

/** Frees the key where nothing was started, and keeps what was learned of the workflow. */
async function forget(
  { store }: DispatchDeps,
  caller: RestrictedCaller,
  request: DispatchRequest,
  code: string,
): Promise<void> {
  await store.transaction(withoutKey(caller), async (tx) => {
    if (code === notStartable) await note(tx, request, false)
    const { idempotency } = caller.scope
    if (idempotency !== undefined) await releaseKey(tx, idempotency)
  })
}

/** Records whether the workflow can be started on request. */
async function note(tx: Tx, request: DispatchRequest, isStartable: boolean): Promise<void> {
  const { orgId, workflowId, repositoryExternalId } = request
  const repositoryId = await findRepositoryId(tx, orgId, repositoryExternalId)
  if (repositoryId === undefined) return
  await noteStartable(tx, orgId, { workflowId, repositoryId }, isStartable)
}

function withoutKey({ scope: { orgId, userId = null } }: RestrictedCaller) {
  return { orgId, userId }
}
