import { destroyOrganizations } from '../identity/organizations/destroy-organizations.ts'
import { purgeCredentials } from '../identity/purge-credentials.ts'
import { deleteSnapshots } from '../configs/publication/publication-rows.ts'
import { lowPriority, type Job, type Jobs } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import { forgetChanges } from '../live/forget-changes.ts'
import type { Kit } from '../kit.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { forgetOld } from './forget-old.ts'
import { keepAllPartitions } from './keep-all-partitions.ts'
import { purgeExpired } from './purge-expired.ts'

/** Describes the dependencies of the jobs of retention. */
export interface RetentionDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly log: Pick<Log, 'warn'>
  /** Says for how long what grows is kept. */
  readonly keptFor: Partial<Kit['settings']['keptFor']>
  readonly now: () => Date
}

/** Lists the queues of retention. */
export const retentionQueues: readonly QueueDefinition[] = [
  { name: 'retention.purge', retries: 3 },
  { name: 'retention.destroyOrganizations', retries: 3 },
  { name: 'retention.forgetChanges', retries: 0 },
  { name: 'retention.forgetOld', retries: 3 },
]

/** Starts the workers that do the jobs of retention. */
export async function workRetention(
  jobs: Pick<Jobs, 'work' | 'enqueue'>,
  deps: RetentionDeps,
): Promise<void> {
  // A node that starts after months finds no partition for what comes in now.
  await keepAllPartitions(deps)
  const purge = async () => {
    await keepAllPartitions(deps)
    await purgeCredentials(deps)
    await purgeExpired(deps)
  }
  await jobs.work('retention.purge', purge, lowPriority)
  const destroy = async () => {
    await destroyOrganizations({ ...deps, deleteSnapshots })
  }
  await jobs.work('retention.destroyOrganizations', destroy, lowPriority)
  await jobs.work('retention.forgetChanges', () => forgetChanges(deps), lowPriority)
  const forget = async ({ signal }: Job) => {
    if (await forgetOld(deps, signal)) return
    await deps.store.maintenance((tx) => jobs.enqueue(tx, 'retention.forgetOld', {}))
  }
  // One at a time: two would look at the same rows.
  await jobs.work('retention.forgetOld', forget, { ...lowPriority, concurrency: 1 })
}
