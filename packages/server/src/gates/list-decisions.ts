import type { RestrictedCaller } from '../audit/caller.ts'
import type { Actor } from '../http/admission/actor.ts'
import { notFound } from '../http/answers/problem-response.ts'
import { mayDo } from '../identity/roles.ts'
import type { Role } from '@signalbox/contract'
import {
  findDecisionView,
  pageDecisionViews,
  type DecisionFilter,
  type DecisionViewRow,
} from '../read-models/gates/decision-view-rows.ts'
import { listApprovable } from '../read-models/gates/fact-rows.ts'
import type { Store, Tx } from '../store/store.ts'
import { listGateRows } from './gate-rows.ts'
import { covers } from './judge-gate.ts'
import { toApprovalRules } from './read-facts.ts'

/** Describes a decision, and whether the caller may approve it. */
export interface DecisionView {
  readonly row: DecisionViewRow
  readonly mayApprove: boolean
}

/** Lists the decisions that a caller may know of, newest first. */
export async function listDecisions(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  caller: RestrictedCaller,
  of: {
    readonly actor: Actor
    readonly filter: Omit<DecisionFilter, 'environmentIds'> & {
      readonly below: string | null
      readonly limit: number
    }
  },
): Promise<DecisionView[]> {
  const { orgId, environmentIds } = caller
  return store.transaction(caller.scope, async (tx) => {
    const rows = await pageDecisionViews(tx, orgId, { ...of.filter, environmentIds })
    return toViews(tx, orgId, { rows, actor: of.actor })
  })
}

/** Returns a decision. @throws {Problem} `not_found` */
export async function findDecision(
  tx: Tx,
  { orgId, environmentIds }: Pick<RestrictedCaller, 'orgId' | 'environmentIds'>,
  { id, actor }: { readonly id: string; readonly actor: Actor },
): Promise<DecisionView> {
  const row = await findDecisionView(tx, orgId, id)
  if (row === undefined) throw notFound()
  const { environmentId } = row
  const isReached =
    environmentIds === null || (environmentId !== null && environmentIds.includes(environmentId))
  if (!isReached) throw notFound()
  const [view] = await toViews(tx, orgId, { rows: [row], actor })
  if (view === undefined) throw notFound()
  return view
}

async function toViews(
  tx: Tx,
  orgId: string,
  { rows, actor }: { readonly rows: readonly DecisionViewRow[]; readonly actor: Actor },
): Promise<DecisionView[]> {
  const waiting = rows.filter(({ state }) => state === 'waiting')
  const isPerson = actor.type === 'user' && actor.via === 'session'
  const { ids } =
    isPerson && waiting.length > 0
      ? await listApprovableBy(tx, orgId, { rows: waiting, userId: actor.userId })
      : { ids: new Set<string>() }
  return rows.map((row) => ({ row, mayApprove: ids.has(row.id) }))
}

/** Lists which of the decisions that wait somebody may approve, and counts the rules that ask for approvals. */
export async function listApprovableBy(
  tx: Tx,
  orgId: string,
  of: { readonly rows: readonly ApprovableRow[]; readonly userId: string },
): Promise<{ readonly ids: ReadonlySet<string>; readonly rules: number }> {
  const gates = await listGateRows(tx, orgId)
  const rules = of.rows.flatMap(({ id, environmentId, repository, reasons }) => {
    const asking = new Set(
      reasons.flatMap(({ code, gateId }) => (code === 'approvals' ? (gateId ?? []) : [])),
    )
    if (environmentId === null) return []
    return gates
      .filter((gate) => asking.has(gate.id))
      .filter((gate) => repository === undefined || covers(gate, { environmentId, repository }))
      .flatMap((gate) => toApprovalRules(gate, id, environmentId))
  })
  const ids = await listApprovable(tx, orgId, { of: rules, userId: of.userId })
  return { ids, rules: rules.length }
}

interface ApprovableRow extends Pick<DecisionViewRow, 'id' | 'environmentId'> {
  readonly repository?: string
  readonly reasons: readonly DecisionViewRow['reasons'][number][]
}

/** Returns whether an actor is signed in as somebody who may end the wait of a deployment. */
export function mayEnd(actor: Actor, role: Role | undefined): boolean {
  return actor.type === 'user' && actor.via === 'session' && mayDo(role, 'admin')
}
