import { keepPartitions } from '../store/partitions.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { partitionPlans } from './rules.ts'

/** Describes what the partitions are kept with. */
interface PartitionDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly now: () => Date
}

/**
 * Adds the partitions that are to come, and drops the first that is over at a moment, of every table that `partitionPlans` lists.
 * Each drop is a line in the log. A table whose partitions can't be kept is logged and left to the next
 * time: its rows go into the default partition until then, and everything else goes on.
 */
export async function keepAllPartitions(
  { store, log, now }: PartitionDeps,
  /** Undefined: nothing is dropped. */
  believed?: Date,
): Promise<void> {
  for (const planAt of partitionPlans) {
    const plan = planAt(now(), believed)
    try {
      const { dropped } = await keepPartitions(store, plan)
      if (dropped !== undefined)
        log.info('Dropped a partition whose time is over', {
          subject: dropped.name,
          count: dropped.rows,
        })
    } catch (error) {
      log.warn('Could not keep the partitions of a table', { subject: plan.table, error })
    }
  }
}
