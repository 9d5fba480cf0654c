import { keepPartitions } from '../store/partitions.ts'
import type { Store } from '../store/store.ts'
import { partitionPlans } from './rules.ts'

/** Adds the partitions that are to come, and drops those that are over, of every table that is divided by time. */
export async function keepAllPartitions({
  store,
  now,
}: {
  readonly store: Pick<Store, 'maintenance'>
  readonly now: () => Date
}): Promise<void> {
  for (const planAt of partitionPlans) await keepPartitions(store, planAt(now()))
}
