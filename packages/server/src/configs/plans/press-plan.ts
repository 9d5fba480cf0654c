import { Problem } from '@signalbox/contract'
import type { AuditAction } from '../../audit/audit-event.ts'
import type { Actor } from '../../http/admission/actor.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import { toPolicies, type EnvironmentPolicies } from '../../config-model/confirmation.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { listApprovers, listKeyMakers } from '../../identity/members/approvers.ts'
import { requireSession } from '../requests/review-request.ts'
import { enterStep, findEnding, lockPlan, storeEnd } from './advance-plans.ts'
import { isReached } from '../proofs/list-proofs.ts'
import { getPlan, type PlanView } from './list-plans.ts'
import { savePlanRow } from './plan-rows.ts'
import { canPress, type PlanButton, type PlanRow } from './plan.ts'
import { writeShare } from './write-step.ts'

/** Describes a press of a button. */
export interface PressPlan {
  readonly id: string
  readonly button: PlanButton
}

/**
 * Carries out what somebody presses. Where the next step needs an approval, the press of somebody who approves changes of the environment is
 * the approval.
 *
 * @throws {Problem} `not_found`, `conflict` where the button does nothing now, `session_required`, `own_request`, `role_forbidden`
 */
export async function pressPlan(
  deps: ConfigDeps,
  { caller, actor }: { readonly caller: Caller; readonly actor: Actor },
  { id, button }: PressPlan,
): Promise<PlanView> {
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    const plan = await lockPlan(deps, tx, orgId, id)
    if (plan === undefined || !isReached(caller, plan)) throw notFound()
    requireReach(caller, 'writeValues', plan)
    if (!canPress(plan, button)) throw new Problem('conflict', describeState(plan))
    const policies = toPolicies(await listEnvironmentRows(tx, orgId))
    if (writing.has(button)) await requireUnchanged(tx, orgId, { plan, policies })
    if (button === 'next' && plan.steps[plan.position + 1]?.approve === true)
      await requireApprover(tx, caller, actor, { plan, policies })
    await buttons[button](deps, tx, caller, plan).catch(explain)
    recordPress(tx, caller, plan, button)
    return getPlan(tx, caller, id)
  })
}

const actions = {
  resume: 'plan.resumed',
  next: 'plan.advanced',
  back: 'plan.returned',
} as const satisfies Partial<Record<PlanButton, AuditAction>>

/** Records a press. Those that pause or end the plan are recorded where that is stored. */
function recordPress(tx: Tx, caller: Caller, plan: PlanRow, button: PlanButton): void {
  if (button === 'pause' || button === 'stop' || button === 'restore') return
  const { id, schemaId, environmentId, position, flag: name } = plan
  const detail = { schemaId, environmentId, position }
  recordConfigEvent(tx, caller, {
    action: actions[button],
    target: { type: 'plan', id, name },
    detail,
  })
}

/** Lists the buttons that may change what readers get. */
const writing: ReadonlySet<PlanButton> = new Set(['resume', 'next', 'back', 'restore'])

interface PlanUnder {
  readonly plan: PlanRow
  readonly policies: EnvironmentPolicies
}

/** Names what to do where the approvals of a plan do not cover its step: the step has no body that could be asked for. */
function explain(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'approval_required') throw error
  const detail = 'This needs more approvals than the plan has. Stop the plan, and make another one.'
  throw new Problem('conflict', detail, { cause: error })
}

function describeState({ state, position, steps }: PlanRow): string {
  return `The plan is ${state}, at step ${position + 1} of ${steps.length}, so this does nothing now.`
}

/** @throws {Problem} `session_required`, `own_request`, `role_forbidden` */
async function requireApprover(
  tx: Tx,
  { orgId }: Caller,
  actor: Actor,
  { plan, policies }: PlanUnder,
): Promise<void> {
  const { userId } = requireSession(actor, 'approve the next step')
  const { id: authorId, writerIds = [] } = plan.author
  const makers = await listKeyMakers(tx, orgId, [authorId ?? ''])
  if ([authorId, ...writerIds, ...(makers.get(authorId ?? '') ?? [])].includes(userId))
    throw new Problem(
      'own_request',
      'You have made this plan, so somebody else approves its steps.',
    )
  const id = plan.environmentId
  const { approvers } = policies.get(id)?.protection ?? {}
  const known = approvers && (await listApprovers(tx, orgId, [{ id, approvers }])).get(id)
  if (known?.some((each) => each.userId === userId) === true) return
  const detail = 'You don’t approve changes of this environment. Its page says who does.'
  throw new Problem('role_forbidden', detail)
}

/**
 * Refuses to go on with what its proof has taken back, and with a flag that is not what people have approved any more: in the
 * environment or where it is inherited.
 */
async function requireUnchanged(
  tx: Tx,
  orgId: string,
  { plan, policies }: PlanUnder,
): Promise<void> {
  if ((await findEnding(tx, orgId, plan))?.kind === 'restored')
    throw new Problem('conflict', 'The proof of the step has taken it back, so the plan ends.')
  const asks = (id: string) => (policies.get(id)?.protection.approvals ?? 0) > 0
  if (plan.reason?.code !== 'edited' || !Object.keys(plan.covered).some(asks)) return
  const detail =
    'Somebody has changed the flag since the plan was approved. Stop it, and make another one.'
  throw new Problem('conflict', detail)
}

type Press = (deps: ConfigDeps, tx: Tx, caller: Caller, plan: PlanRow) => Promise<void>

const byPerson = ({ author }: Caller, did: string) =>
  ({ code: 'person', detail: `${author.name} has ${did}.` }) as const

const buttons: Readonly<Record<PlanButton, Press>> = {
  pause: (deps, tx, caller, plan) =>
    storeEnd(deps, tx, caller.orgId, {
      plan,
      state: 'paused',
      reason: byPerson(caller, 'paused it'),
      by: toBy(caller),
    }),
  resume: (deps, tx, { orgId, author }, plan) => {
    const hasLeft = plan.reason?.code === 'author_left'
    const goingOn = hasLeft ? { ...plan, author: { ...plan.author, ...author } } : plan
    return enterStep(deps, tx, orgId, { plan: goingOn, position: plan.position })
  },
  next: (deps, tx, { orgId }, plan) =>
    enterStep(deps, tx, orgId, { plan, position: plan.position + 1 }),
  async back(deps, tx, caller, plan) {
    const { orgId } = caller
    const position = plan.position - 1
    const percent = plan.steps[position]?.percent ?? 0
    const comment = `Back to step ${position + 1} of the rollout of ${plan.flag}: ${percent}%`
    const written = await writeShare(deps, tx, orgId, { plan, percent, comment, prove: null })
    if (written === undefined) throw gone()
    const now = deps.now()
    const reason = byPerson(caller, 'gone back one step')
    const { versionId } = written
    await savePlanRow(tx, orgId, {
      ...plan,
      position,
      versionId,
      steps: plan.steps.map((step, at) => (at === position ? { ...step, versionId } : step)),
      state: 'paused',
      reason,
      updatedAt: now,
    })
  },
  stop: (deps, tx, caller, plan) =>
    storeEnd(deps, tx, caller.orgId, {
      plan,
      state: 'stopped',
      reason: byPerson(caller, 'stopped it'),
      by: toBy(caller),
    }),
  async restore(deps, tx, caller, plan) {
    const { orgId } = caller
    const percent = plan.startPercent
    const comment = `The rollout of ${plan.flag} was taken back`
    const written = await writeShare(deps, tx, orgId, { plan, percent, comment, prove: null })
    if (written === undefined) throw gone()
    await storeEnd(deps, tx, orgId, {
      plan,
      state: 'restored',
      reason: byPerson(caller, 'taken it back'),
      by: toBy(caller),
    })
  },
}

function toBy({ author, request }: Caller) {
  return { actor: author, request }
}

function gone(): Problem {
  return new Problem('conflict', 'The rule of the plan is not there any more. Stop the plan.')
}
