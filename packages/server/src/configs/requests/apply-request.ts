import { Problem, type ProblemCode } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import type { Caller } from '../../config-model/caller.ts'
import type { EnvironmentPolicies } from '../../config-model/confirmation.ts'
import { findConflicts, type Difference } from './keep-effects.ts'
import { nameAuthors } from './name-authors.ts'
import { openOperations, runRecorded, type WholeOperation } from './plan-request.ts'
import { presentConflict } from './present-request.ts'
import { isReached, readRequest, type WholeRequest } from './read-standing.ts'
import type { RequestDeps } from './request-deps.ts'
import { recordRequestEvent } from './request-events.ts'
import { moveRequestRow } from './request-rows.ts'
import { countApprovals, mayOverride, stateOf, type Conflict } from './request.ts'
import { requireWaiting } from './write-request.ts'

/** Says why a request is applied: people have approved it, its time has come, or somebody overrides. */
export type Ground =
  | { readonly kind: 'approved' }
  | { readonly kind: 'scheduled'; readonly revision: number; readonly fence: number }
  | { readonly kind: 'override'; readonly comment: string; readonly role: string | undefined }

interface ApplyRequest {
  readonly ref: string
  readonly ground: Ground
}

/** Carries a conflict out of the transaction that met it. */
class ConflictMet extends Error {
  override readonly name = 'ConflictMet'
  readonly whole: WholeRequest
  readonly differences: readonly Difference[]

  constructor(whole: WholeRequest, differences: readonly Difference[]) {
    super('The effects are others than those that were approved.')
    this.whole = whole
    this.differences = differences
  }
}

/** Carries out of the transaction why the operation can't be carried out any more. */
class OperationFailed extends Error {
  override readonly name = 'OperationFailed'
  readonly whole: WholeRequest
  readonly problem: Problem

  constructor(whole: WholeRequest, problem: Problem) {
    super('The operation was refused.', { cause: problem })
    this.whole = whole
    this.problem = problem
  }
}

/**
 * Carries out a request in one transaction: the approvals are counted and the effects computed as they are at that moment. Where the
 * effects are others than the approved ones, nothing is stored but the conflict, and the request is open again.
 *
 * @throws {Problem} `approval_required`, `conflict`, `role_forbidden` for an override, and what the caller may not do or has to
 * confirm
 */
export async function applyRequest(
  deps: RequestDeps,
  caller: Caller,
  { ref, ground }: ApplyRequest,
): Promise<WholeRequest> {
  try {
    return await deps.store.transaction(caller.scope, async (tx) => {
      const whole = await readRequest(tx, caller, { ref, lock: true })
      requireWaiting(whole.request, deps.now())
      requireGround(whole, ground)
      const { versions, policies } = await carryOut(deps, tx, caller, whole)
      requireApprovals({ ...whole, policies: join(whole, policies) }, ground)
      const { orgId } = caller
      const now = deps.now()
      const { id } = whole.request
      await moveRequestRow(tx, orgId, {
        id,
        now,
        state: 'applied',
        appliedVersions: versions.map(({ id: versionId, environmentId, schemaId, version }) => {
          return { environmentId, schemaId, versionId, version }
        }),
        ...(ground.kind === 'override' && {
          overridden: { member: caller.author, comment: ground.comment, at: now.toISOString() },
        }),
      })
      await recordRequestEvent(deps, tx, caller, {
        action: ground.kind === 'override' ? 'change.overridden' : 'change.applied',
        request: whole.request,
        detail: {
          revision: whole.request.revision,
          versions: versions.map(({ id: versionId }) => versionId),
          ...(ground.kind === 'override' && { comment: ground.comment }),
        },
      })
      return readRequest(tx, caller, { ref: id })
    })
  } catch (error) {
    if (error instanceof ConflictMet) throw await keepConflict(deps, caller, error)
    if (error instanceof OperationFailed) throw await keepFailure(deps, caller, error)
    throw error
  }
}

function join({ policies }: WholeRequest, locked: EnvironmentPolicies): WholeRequest['policies'] {
  return new Map([...policies, ...locked])
}

/** Carries out the operation by the name of its author and the rights of the caller. */
async function carryOut(deps: RequestDeps, tx: Tx, caller: Caller, whole: WholeRequest) {
  const { request, effects } = whole
  const operations = await openOperations(deps, tx, caller.orgId, [request.id])
  const operation = operations.get(request.id)
  if (operation === undefined) throw new Error('A waiting request has nothing sealed')
  const { via: _via, ...author } = request.author
  const ran = await run(deps, tx, { ...caller, author, isAgent: false }, { whole, operation })
  const conflicts = findConflicts(effects, ran.effects)
  if (conflicts.length > 0) throw new ConflictMet(whole, conflicts)
  return ran
}

/** Lists what a write is refused with where the caller, and not the request, lacks something. */
const ofCaller: ReadonlySet<ProblemCode> = new Set([
  'role_forbidden',
  'key_scope_forbidden',
  'key_read_only',
  'key_kind_forbidden',
  'confirmation_required',
  'comment_required',
  'step_up_required',
  'quota_exceeded',
])

async function run(
  deps: RequestDeps,
  tx: Tx,
  caller: Caller,
  {
    whole,
    operation,
  }: {
    readonly whole: WholeRequest
    readonly operation: WholeOperation
  },
) {
  try {
    return await runRecorded(deps, tx, caller, {
      whole: operation,
      authorizeReveal: () => undefined,
      writerIds: [...whole.authorIds],
    })
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || ofCaller.has(error.code)) throw error
    throw new OperationFailed(whole, error)
  }
}

function requireGround(whole: WholeRequest, ground: Ground): void {
  if (whole.request.conflict !== null) throw conflictProblem(whole, whole.request.conflict)
  if (ground.kind === 'scheduled') requireSchedule(whole, ground)
  if (ground.kind !== 'override') return requireApprovals(whole, ground)
  if (mayOverride(whole, ground.role)) return
  const detail = 'The policy of the environments does not let you override their approvals.'
  throw new Problem('role_forbidden', detail)
}

/** Refuses a schedule that was changed since. @throws {Problem} `conflict` */
function requireSchedule(
  { request }: WholeRequest,
  { revision, fence }: Extract<Ground, { readonly kind: 'scheduled' }>,
): void {
  if (request.revision === revision && request.fence === fence) return
  throw new Problem('conflict', 'The schedule of the request was changed in the meantime.')
}

/** @throws {Problem} `approval_required` */
function requireApprovals(whole: WholeRequest, ground: Ground): void {
  const state = stateOf(whole)
  if (ground.kind === 'override' || state === 'approved' || state === 'scheduled') return
  const short = countApprovals(whole).filter(({ approvals }) => approvals.given < approvals.needed)
  const lacks = short.map(
    ({ name, approvals }) => `${name} has ${approvals.given} of ${approvals.needed}`,
  )
  const detail =
    state === 'declined'
      ? 'A reviewer has declined the request. They take it back, or the author changes it.'
      : `The request waits for approvals: ${lacks.join(', ')}.`
  throw new Problem('approval_required', detail)
}

function conflictProblem({ request }: WholeRequest, conflicts: readonly Conflict[]): Problem {
  const keys = conflicts.map(({ environment, key }) => `${key ?? 'the whole'} in ${environment}`)
  const first = keys.slice(0, 5).join(', ')
  const detail = `Somebody has changed what request ${request.number} was approved for: ${first}. Nothing was applied. Look at it, and change the request.`
  return new Problem('conflict', detail, {
    extensions: { conflicts: conflicts.map((conflict) => presentConflict(conflict)) },
  })
}

async function keepConflict(
  deps: RequestDeps,
  caller: Caller,
  { whole, differences }: ConflictMet,
): Promise<Problem> {
  const { idempotency: _key, ...scope } = caller.scope
  const conflicts = await deps.store.transaction(scope, (tx) =>
    nameAuthors(tx, caller.orgId, differences),
  )
  await move(deps, caller, whole, async (tx) => {
    const { id } = whole.request
    await moveRequestRow(tx, caller.orgId, {
      id,
      conflict: conflicts,
      applyAt: null,
      now: deps.now(),
    })
    await recordRequestEvent(deps, tx, caller, {
      action: 'change.conflicted',
      request: whole.request,
      detail: { keys: conflicts.flatMap(({ key }) => key ?? []) },
    })
  })
  // A key is not told of what it does not reach.
  const known = conflicts.filter((conflict) => isReached(caller, { effects: [conflict] }))
  return conflictProblem(whole, known)
}

async function keepFailure(
  deps: RequestDeps,
  caller: Caller,
  { whole, problem }: OperationFailed,
): Promise<Problem> {
  const detail =
    problem.code === 'not_found' ? 'Something that it changes is gone.' : problem.message
  await failRequest(deps, caller, whole, { code: problem.code, detail })
  const text = `Request ${whole.request.number} can’t be applied any more: ${detail}`
  return new Problem('conflict', text, { cause: problem })
}

/** Ends a request that can't be applied. */
export async function failRequest(
  deps: RequestDeps,
  caller: Caller,
  whole: WholeRequest,
  failure: { readonly code: string; readonly detail: string },
): Promise<void> {
  await move(deps, caller, whole, async (tx) => {
    const { id } = whole.request
    await moveRequestRow(tx, caller.orgId, { id, state: 'failed', failure, now: deps.now() })
    await recordRequestEvent(deps, tx, caller, {
      action: 'change.failed',
      request: whole.request,
      detail: { code: failure.code },
    })
  })
}

/** Runs `work` where the request still is what was looked at. */
async function move(
  { store }: RequestDeps,
  caller: Caller,
  { request }: WholeRequest,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { idempotency: _key, ...scope } = caller.scope
  await store.transaction(scope, async (tx) => {
    const { request: current } = await readRequest(tx, caller, { ref: request.id, lock: true })
    if (current.state === 'waiting' && current.revision === request.revision) await work(tx)
  })
}
