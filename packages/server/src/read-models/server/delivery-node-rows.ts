import type { Tx } from '../../store/store.ts'

/** Describes a node that serves configuration, as it reported itself. */
export interface DeliveryNode {
  readonly name: string
  readonly version: string
  readonly carrier: string
  readonly fedBy: string | null
  readonly organization: string | null
  readonly snapshots: number
  readonly state: string
  readonly asOf: Date | null
  readonly fault: string | null
  readonly reportedAt: Date
}

/**
 * Lists the nodes that have reported in the last day, as maintenance: those without a report first, then those that are behind. A
 * node reports each minute, so one report may be lost.
 */
export async function listDeliveryNodes(tx: Tx): Promise<DeliveryNode[]> {
  return tx.query<DeliveryNode>({
    name: 'list-delivery-nodes',
    text: `select d.name, d.version, d.carrier, d.fed_by as "fedBy", o.slug as organization, d.snapshots, s.state,
        d.as_of as "asOf", d.fault, d.reported_at as "reportedAt"
      from delivery_nodes d
      cross join lateral (select case
          when d.reported_at < now() - interval '3 minutes' then 'silent'
          when d.fault is not null or d.as_of is null or d.as_of < d.reported_at - interval '2 minutes' then 'behind'
          else 'ok' end as state) s
      left join api_keys k on k.id = d.reporter
      left join organizations o on o.id = k.org_id
      where d.reported_at > now() - interval '1 day'
      order by array_position(array['silent', 'behind', 'ok'], s.state), d.name, d.reporter
      limit 200`,
    values: [],
  })
}
