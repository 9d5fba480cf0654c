import { Problem } from '@signalbox/contract'
import type { AuditAction } from '../audit/audit-event.ts'
import type { RestrictedCaller } from '../audit/caller.ts'
import { recordAuditEvent } from '../audit/record-event.ts'
import type { Actor, UserActor } from '../http/admission/actor.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Tx } from '../store/store.ts'
import { judgeRows, storeDecision, withDecision } from './decide.ts'
import { insertApproval, lockDecision } from './decision-rows.ts'
import type { GateDeps } from './gate-deps.ts'
import type { DecisionRow } from './gate.ts'
import { findDecision } from './list-decisions.ts'
import { listApprovable } from '../read-models/gates/fact-rows.ts'
import type { DecisionView } from '../read-models/gates/present-decision.ts'

/** Describes what a member says of a deployment that waits. */
export interface ReviewDecision {
  readonly id: string
  readonly comment?: string | undefined
}

/**
 * Approves a deployment that waits for people.
 *
 * @throws {Problem} `not_found`, `session_required`, `role_forbidden`, `conflict` where it waits for nobody
 */
export async function approveDecision(
  deps: GateDeps,
  caller: RestrictedCaller,
  actor: Actor,
  { id, comment }: ReviewDecision,
): Promise<DecisionView> {
  const { userId, name } = requireSession(actor, 'approve a deployment')
  return change(deps, caller, { id, actor }, async (tx, before) => {
    const { orgId } = caller
    if (!before.reasons.some(({ code }) => code === 'approvals')) {
      throw new Problem('conflict', 'No gate asks people to approve this deployment.')
    }
    const approvable = await listApprovable(tx, orgId, { ids: [id], userId })
    if (!approvable.has(id)) {
      const detail = 'You don’t approve deployments to this environment. The gate says who does.'
      throw new Problem('role_forbidden', detail)
    }
    const at = deps.now()
    await insertApproval(tx, orgId, { decisionId: id, userId, name, comment: comment ?? null, at })
    record(tx, caller, { action: 'gate_decision.approved', row: before, comment })
    const [after = before] = await judgeRows(deps, tx, orgId, [before])
    return after
  })
}

/**
 * Lets a deployment go on although its rules are not met, or ends it.
 *
 * @throws {Problem} `not_found`, `session_required`, `conflict` where it does not wait
 */
export async function endWait(
  deps: GateDeps,
  caller: RestrictedCaller,
  actor: Actor,
  { id, comment, as }: { readonly id: string; readonly comment: string; readonly as: Ending },
): Promise<DecisionView> {
  const what = as === 'overridden' ? 'let a deployment go on' : 'refuse a deployment'
  requireSession(actor, what)
  return change(deps, caller, { id, actor }, (tx, before) => {
    record(tx, caller, { action: `gate_decision.${as}`, row: before, comment })
    const decided = { state: as, now: deps.now(), by: caller.author, comment } as const
    return Promise.resolve(withDecision(before, decided))
  })
}

type Ending = 'overridden' | 'refused'

interface ChangedDecision {
  readonly id: string
  readonly actor: Actor
}

async function change(
  deps: GateDeps,
  caller: RestrictedCaller,
  { id, actor }: ChangedDecision,
  decide: (tx: Tx, before: DecisionRow) => Promise<DecisionRow>,
): Promise<DecisionView> {
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const before = await lockDecision(tx, orgId, id)
    if (before === undefined) throw notFound()
    if (before.state !== 'waiting') {
      throw new Problem('conflict', 'The deployment doesn’t wait any more. Read it again.')
    }
    const after = await decide(tx, before)
    await storeDecision(deps, tx, orgId, { before, after })
    return findDecision(tx, caller, { id, actor })
  })
}

interface RecordedReview {
  readonly action: AuditAction
  readonly row: DecisionRow
  readonly comment: string | undefined
}

function record(tx: Tx, caller: RestrictedCaller, { action, row, comment }: RecordedReview): void {
  const { orgId, author, request } = caller
  const { id, sha, hostEnvironment, environmentId, runId, attempt } = row
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    request,
    action,
    target: { type: 'gate_decision', id, name: `${sha.slice(0, 7)} to ${hostEnvironment}` },
    detail: {
      environmentId,
      run: runId,
      attempt,
      waitedFor: row.waitedFor,
      ...(comment !== undefined && { comment }),
    },
  })
}

/** Returns the person who is signed in. @throws {Problem} `session_required` */
function requireSession(actor: Actor, what: string): UserActor {
  if (actor.type === 'user' && actor.via === 'session') return actor
  const detail = `Only a person who is signed in to the dashboard can ${what}.`
  throw new Problem('session_required', detail)
}
