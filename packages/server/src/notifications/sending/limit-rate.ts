import type { RateBudget } from '../../providers/chat/chat.ts'
import type { Tx } from '../../store/store.ts'
import type { NotificationRow } from '../rows.ts'
import { decideRate, pauseBudgets, type RateState } from './rate-rules.ts'

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

/**
 * Locks how far some budgets of an organization are used, for the rest of the transaction. Every caller has to name them in the
 * same order.
 */
async function lockRateStates(
  tx: Tx,
  orgId: string,
  resources: readonly string[],
): Promise<RateState[]> {
  return tx.query<RateState>({
    name: 'lock-chat-rates',
    text: `insert into chat_rates (org_id, resource, spent_until, reserved_until)
      select $1, r.resource, to_timestamp(0), to_timestamp(0)
      from unnest($2::text[]) with ordinality as r (resource, at) order by r.at
      on conflict (org_id, resource) do update set spent_until = chat_rates.spent_until
      returning resource, spent_until as "spentUntil", reserved_until as "reservedUntil"`,
    values: [orgId, resources],
  })
}

/** Writes rows that this transaction has locked. */
function saveRateStates(tx: Tx, orgId: string, states: readonly RateState[]): void {
  if (states.length === 0) return
  tx.send({
    name: 'save-chat-rates',
    text: `update chat_rates p set spent_until = n.spent_until, reserved_until = n.reserved_until
      from unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) as n (resource, spent_until, reserved_until)
      where p.org_id = $1 and p.resource = n.resource`,
    values: [
      orgId,
      states.map(({ resource }) => resource),
      states.map(({ spentUntil }) => spentUntil),
      states.map(({ reservedUntil }) => reservedUntil),
    ],
  })
}
