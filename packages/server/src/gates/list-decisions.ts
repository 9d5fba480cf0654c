import type { RestrictedCaller } from '../audit/caller.ts'
import type { Actor } from '../http/admission/actor.ts'
import { notFound } from '../http/answers/problem-response.ts'
import {
  findDecisionView,
  pageDecisionViews,
  type DecisionFilter,
} from '../read-models/gates/decision-view-rows.ts'
import { viewDecisions, type DecisionView } from '../read-models/gates/present-decision.ts'
import type { Store, Tx } from '../store/store.ts'

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
    return viewDecisions(tx, orgId, { rows, actor: of.actor })
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
  const [view] = await viewDecisions(tx, orgId, { rows: [row], actor })
  if (view === undefined) throw notFound()
  return view
}
