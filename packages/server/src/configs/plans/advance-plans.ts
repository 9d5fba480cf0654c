import { isTurnedOff, Problem } from '@signalbox/contract'
import {
  systemAuthor,
  type AuditAction,
  type AuditRequest,
  type Author,
} from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { findMemberIds } from '../../identity/members/approvers.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { beginStep, describeStep, turnedOff } from './create-plan.ts'
import {
  findPlanRow,
  listDuePlans,
  listStepProofs,
  savePlanRow,
  type DuePlan,
} from './plan-rows.ts'
import {
  endedMove,
  nextMove,
  termsOf,
  type PlanMove,
  type PlanReasonText,
  type PlanRow,
} from './plan.ts'
import { lockFlag, writeShare } from './write-step.ts'

/** Holds the dependencies of plans that go on by themselves. */
export interface PlanDeps extends ConfigDeps {
  readonly store: ConfigDeps['store'] & Pick<Store, 'maintenance'>
}

const takenAtOnce = 50

/** Lets plans go on: each that is due takes one step at most. One that fails keeps no other from it. */
export async function advancePlans(deps: PlanDeps): Promise<void> {
  const due = await deps.store.maintenance((tx) =>
    listDuePlans(tx, { now: deps.now(), limit: takenAtOnce }),
  )
  const errors: unknown[] = []
  for (const each of due)
    await advancePlan(deps, each).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, 'Some plans could not go on')
}

/** Lets one plan go on. Its step, its proof and its position are one transaction; the lock of its row lets one node do it. */
async function advancePlan(deps: PlanDeps, { orgId, id }: DuePlan): Promise<void> {
  try {
    await deps.store.transaction({ orgId }, async (tx) => {
      const plan = await lockPlan(deps, tx, orgId, id)
      if (plan === undefined) return
      const move = nextMove(plan, await findProof(tx, orgId, plan.versionId), deps.now())
      // A step that its proof has taken back ends a plan that somebody has paused as well.
      const isDue =
        plan.state === 'running' || (plan.state === 'paused' && move?.kind === 'restored')
      if (isDue && move !== undefined) await carryOut(deps, tx, orgId, { plan, move })
    })
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const reason = reasonOf(error)
    await deps.store.transaction({ orgId }, async (tx) => {
      const plan = await lockPlan(deps, tx, orgId, id)
      if (plan?.state === 'running')
        await storeEnd(deps, tx, orgId, { plan, state: 'paused', reason })
    })
  }
}

function reasonOf({ code }: Problem): PlanReasonText {
  if (code !== 'approval_required')
    return { code: 'refused', detail: `The next step is refused (${code}).` }
  const detail =
    'The environment needs more approvals than this plan has, or another one inherits the flag by now.'
  return { code: 'policy', detail }
}

/** Locks a plan after the values that it writes, as a write that pauses it does. */
export async function lockPlan(
  deps: ConfigDeps,
  tx: Tx,
  orgId: string,
  id: string,
): Promise<PlanRow | undefined> {
  const plan = await findPlanRow(tx, orgId, { id })
  if (plan === undefined) return undefined
  await lockFlag(deps, tx, orgId, plan)
  return findPlanRow(tx, orgId, { id, lock: true })
}

/** Returns what becomes of a plan because the proof of its step has ended otherwise than proven. */
export async function findEnding(tx: Tx, orgId: string, { versionId }: PlanRow) {
  return endedMove(await findProof(tx, orgId, versionId))
}

async function findProof(tx: Tx, orgId: string, versionId: string | null) {
  const [proof] = await listStepProofs(tx, orgId, versionId === null ? [] : [versionId])
  return proof && { ...proof, detail: proof.detail ?? 'Its proof has no result.' }
}

interface CarryOut {
  readonly plan: PlanRow
  readonly move: PlanMove
}

async function carryOut(
  deps: PlanDeps,
  tx: Tx,
  orgId: string,
  { plan, move }: CarryOut,
): Promise<void> {
  if (move.kind === 'finish') return storeEnd(deps, tx, orgId, { plan, state: 'finished' })
  if (move.kind === 'wait') return storeEnd(deps, tx, orgId, { plan, state: 'waiting' })
  if (move.kind === 'step') {
    const reason = await findAbsence(tx, orgId, plan)
    return reason === undefined
      ? enterStep(deps, tx, orgId, { plan, position: move.position })
      : storeEnd(deps, tx, orgId, { plan, state: 'paused', reason })
  }
  const state = move.kind === 'pause' ? 'paused' : 'restored'
  return storeEnd(deps, tx, orgId, { plan, state, reason: move.reason })
}

/** Returns why a plan does not go on without a person: its author has left, and nobody else has approved it. */
async function findAbsence(
  tx: Tx,
  orgId: string,
  { author, covered }: PlanRow,
): Promise<PlanReasonText | undefined> {
  if (author.type !== 'user' || author.id === null) return undefined
  if (Object.values(covered).some((approvals) => approvals > 0)) return undefined
  if ((await findMemberIds(tx, orgId, [author.id])).size > 0) return undefined
  const detail = `${author.name} has made this rollout and is no longer a member. Resume it to go on with it as yours, or stop it.`
  return { code: 'author_left', detail }
}

interface EnterStep {
  readonly plan: PlanRow
  readonly position: number
}

/** Writes the share of a step, and lets it begin. A plan whose rule is gone stops. @throws {Problem} `conflict` where the flag is turned off */
export async function enterStep(
  deps: ConfigDeps,
  tx: Tx,
  orgId: string,
  { plan, position }: EnterStep,
): Promise<void> {
  const { rules } = await lockFlag(deps, tx, orgId, plan)
  if (isTurnedOff(rules)) throw new Problem('conflict', turnedOff)
  const step = plan.steps[position]
  const written = await writeShare(deps, tx, orgId, {
    plan,
    percent: step?.percent ?? 0,
    comment: describeStep(plan, position),
    prove: termsOf(plan, step ?? {}),
  })
  if (written !== undefined)
    return savePlanRow(tx, orgId, beginStep(plan, { position, ...written }, deps.now()))
  const reason = { code: 'gone', detail: 'The rule is not there any more.' } as const
  return storeEnd(deps, tx, orgId, { plan, state: 'stopped', reason })
}

const actions = {
  paused: 'plan.paused',
  waiting: 'plan.waiting',
  finished: 'plan.finished',
  stopped: 'plan.stopped',
  restored: 'plan.restored',
} as const satisfies Record<string, AuditAction>

interface StoreEnd {
  readonly plan: PlanRow
  readonly state: keyof typeof actions
  readonly reason?: PlanReasonText
  /** Names who did it. Left out: Signalbox itself. */
  readonly by?: { readonly actor: Author; readonly request: AuditRequest }
}

const bySignalbox = {
  actor: systemAuthor,
  request: { requestId: '', ip: '', userAgent: undefined },
} as const

/** Stores that a plan is paused, waits or has ended, and records it. */
export async function storeEnd(
  { now }: ConfigDeps,
  tx: Tx,
  orgId: string,
  { plan, state, reason, by = bySignalbox }: StoreEnd,
): Promise<void> {
  const at = now()
  const isFinal = state !== 'paused' && state !== 'waiting'
  await savePlanRow(tx, orgId, {
    ...plan,
    state,
    reason: reason ?? null,
    updatedAt: at,
    endedAt: isFinal ? at : null,
  })
  const { id, flag, schemaId, environmentId, position } = plan
  recordAuditEvent(tx, {
    orgId,
    ...by,
    action: actions[state],
    target: { type: 'plan', id, name: flag },
    detail: { schemaId, environmentId, position, reason: reason?.code ?? null },
  })
}
