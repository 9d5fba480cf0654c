import type { Role } from '@signalbox/contract'
import type { GateDecision } from '@signalbox/contract/rest'
import type { Actor, UserActor } from '../../http/admission/actor.ts'
import type { Tx } from '../../store/store.ts'
import type { DecisionViewRow } from './decision-view-rows.ts'
import { listApprovable } from './fact-rows.ts'

/** Describes a decision, and whether whoever reads it may approve it. */
export interface DecisionView {
  readonly row: DecisionViewRow
  readonly mayApprove: boolean
}

/** Names who reads a decision. */
export interface DecisionReader {
  readonly actor: Actor
  readonly role?: Role | undefined
}

/** Adds to decisions whether an actor may approve them. Only a person who is signed in does. */
export async function viewDecisions(
  tx: Tx,
  orgId: string,
  {
    rows,
    actor,
  }: { readonly rows: readonly DecisionViewRow[]; readonly actor?: Actor | undefined },
): Promise<DecisionView[]> {
  const waiting = rows.filter(({ state }) => state === 'waiting').map(({ id }) => id)
  const ids = isSignedIn(actor)
    ? await listApprovable(tx, orgId, { ids: waiting, userId: actor.userId })
    : new Set<string>()
  return rows.map((row) => ({ row, mayApprove: ids.has(row.id) }))
}

/** Returns a decision as the API shows it to a reader. */
export function presentDecisionView(
  { row, mayApprove }: DecisionView,
  { actor, role }: Partial<DecisionReader> = {},
): GateDecision {
  const isAdmin = role === 'owner' || role === 'admin'
  const mayEnd = row.state === 'waiting' && isSignedIn(actor) && isAdmin
  return presentDecision(row, { approve: mayApprove, override: mayEnd, refuse: mayEnd })
}

function isSignedIn(actor: Actor | undefined): actor is UserActor {
  return actor?.type === 'user' && actor.via === 'session'
}

const nobody = { approve: false, override: false, refuse: false } as const

/** Returns a decision as the API shows it. `may`: what the reader may do, nothing where it is left out. */
export function presentDecision(
  row: DecisionViewRow,
  may: GateDecision['may'] = nobody,
): GateDecision {
  const { runId, attempt, runUrl, answerState, answerDetail, decidedBy, ...shown } = row
  return {
    ...shown,
    run: { id: runId, attempt, url: runUrl },
    approvals: row.approvals.map(({ userId, name, at, comment }) => ({
      member: { type: 'user', id: userId, name },
      at: new Date(at).toISOString(),
      comment,
    })),
    askedAt: row.askedAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: decidedBy && { type: decidedBy.type, id: decidedBy.id, name: decidedBy.name },
    answer: { state: answerState, detail: answerDetail },
    may,
  }
}
