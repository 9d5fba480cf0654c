import type { Tx } from '../../store/store.ts'
import type { RateState } from './rate-rules.ts'

/**
 * Locks how far some budgets of an organization are used, for the rest of the transaction. Every caller has to name them in the
 * same order.
 */
export async function lockRateStates(
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
export function saveRateStates(tx: Tx, orgId: string, states: readonly RateState[]): void {
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
