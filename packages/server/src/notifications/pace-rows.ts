import type { Tx } from '../store/store.ts'
import type { Pace } from './pace-rules.ts'

/**
 * How far some budgets of an organization are used, for this transaction alone. Everybody has to name them in the same
 * order.
 */
export async function lockPaceRows(
  tx: Tx,
  orgId: string,
  resources: readonly string[],
): Promise<Pace[]> {
  return tx.query<Pace>({
    name: 'lock-chat-paces',
    text: `insert into chat_paces (org_id, resource, paid_at, promised_at)
      select $1, r.resource, to_timestamp(0), to_timestamp(0)
      from unnest($2::text[]) with ordinality as r (resource, at) order by r.at
      on conflict (org_id, resource) do update set paid_at = chat_paces.paid_at
      returning resource, paid_at as "paidAt", promised_at as "promisedAt"`,
    values: [orgId, resources],
  })
}

/** Writes rows that this transaction has locked. */
export function savePaceRows(tx: Tx, orgId: string, paces: readonly Pace[]): void {
  if (paces.length === 0) return
  tx.send({
    name: 'save-chat-paces',
    text: `update chat_paces p set paid_at = n.paid_at, promised_at = n.promised_at
      from unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) as n (resource, paid_at, promised_at)
      where p.org_id = $1 and p.resource = n.resource`,
    values: [
      orgId,
      paces.map(({ resource }) => resource),
      paces.map(({ paidAt }) => paidAt),
      paces.map(({ promisedAt }) => promisedAt),
    ],
  })
}
