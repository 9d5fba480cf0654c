import type { RateBudget } from '../../providers/chat.ts'
import type { Tx } from '../../store/store.ts'
import type { NotificationRow } from '../rows.ts'
import { decideRate, pauseBudgets } from './rate-rules.ts'
import { lockRateStates, saveRateStates } from './rate-rows.ts'

/** Why a message waits: stored, and part of the API. */
const waiting = 'paced'

/**
 * Counts a call against its budgets, which all nodes share; returns the row as it waits when a budget is closed, `undefined` when
 * the call may be made now.
 */
export async function awaitBudgets(
  tx: Tx,
  orgId: string,
  row: NotificationRow,
  { budgets, now }: { readonly budgets: readonly RateBudget[]; readonly now: Date },
): Promise<NotificationRow | undefined> {
  const states = await lockRateStates(tx, orgId, resourcesOf(budgets))
  // What entered the channel a moment ago goes on before others, and has to be known by that.
  const hasReserved = row.reason === waiting || row.reason === 'joined'
  const decision = decideRate(budgets, states, { now, hasReserved })
  saveRateStates(tx, orgId, decision.states)
  if (decision.waitUntil === undefined) return undefined
  const reason = hasReserved ? row.reason : waiting
  return { ...row, reason, holdUntil: decision.waitUntil }
}

/** Holds every call of the budgets back, on every node, until the provider wants to hear of them again. */
export async function pauseCalls(
  tx: Tx,
  orgId: string,
  budgets: readonly RateBudget[],
  until: Date,
): Promise<void> {
  const states = await lockRateStates(tx, orgId, resourcesOf(budgets))
  saveRateStates(tx, orgId, pauseBudgets(budgets, states, until))
}

function resourcesOf(budgets: readonly RateBudget[]): string[] {
  return budgets.map(({ resource }) => resource)
}
