import type { RateBudget } from '../../providers/chat/chat.ts'
import type { Tx } from '../../store/store.ts'
import type { NotificationRow } from '../rows.ts'
import { decideRate, pauseBudgets } from './rate-rules.ts'
import { lockRateStates, saveRateStates } from './rate-rows.ts'

/** Names the reason of a message that waits for a budget. It is stored and part of the API. */
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
  // A message whose app has just joined the channel goes before others. Its reason marks it, so it must stay.
  const hasReserved = row.reason === waiting || row.reason === 'joined'
  const decision = decideRate(budgets, states, { now, hasReserved })
  saveRateStates(tx, orgId, decision.states)
  if (decision.waitUntil === undefined) return undefined
  const reason = hasReserved ? row.reason : waiting
  return { ...row, reason, holdUntil: decision.waitUntil }
}

/** Holds back every call of the budgets, on every node, until the moment that the provider named. */
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
