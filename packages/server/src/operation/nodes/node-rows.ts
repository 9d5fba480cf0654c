import type { DeliveryReader } from '../../store/store.ts'

/** Describes a delivery node as it is recorded. */
export interface DeliveryNodeRow {
  readonly name: string
  readonly version: string
  readonly carrier: string
  readonly fed_by: string | null
  readonly snapshots: number
  readonly as_of: Date | null
  readonly fault: string | null
  readonly reported_at: Date
  readonly stopping: boolean
}

/**
 * Records what delivery nodes have reported, and removes those that stop. A later report stays. The role that delivers may call the
 * function, so every process records in this way.
 */
export async function recordDeliveryNodes(
  database: DeliveryReader,
  reporter: string,
  nodes: readonly DeliveryNodeRow[],
): Promise<void> {
  await database.query({
    name: 'record-delivery-nodes',
    text: 'select record_delivery_nodes($1, $2)',
    values: [reporter, JSON.stringify(nodes)],
  })
}
