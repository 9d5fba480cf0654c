import type { Jobs } from '../jobs/jobs.ts'
import type { Tx } from '../store/store.ts'
import { takeOrderedUuids } from '../crypto/ordered-uuids.ts'
import { orderKeyOf } from './delivery.ts'
import { inboxQueue } from './queue.ts'

/** Adds a job for each webhook, in the transaction that stores them and in their order. */
export async function enqueueDeliveries(
  jobs: Pick<Jobs, 'enqueueAll'>,
  tx: Tx,
  deliveries: readonly Parameters<typeof orderKeyOf>[0][],
): Promise<void> {
  const ids = takeOrderedUuids(deliveries.length)
  const toJob = (delivery: (typeof deliveries)[number], at: number) => ({
    data: { id: delivery.id },
    key: orderKeyOf(delivery),
    ...(ids[at] !== undefined && { id: ids[at] }),
  })
  await jobs.enqueueAll(tx, inboxQueue.name, deliveries.map(toJob))
}
