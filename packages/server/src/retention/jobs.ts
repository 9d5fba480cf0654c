import { destroyOrganizations } from '../identity/organizations/destroy-organizations.ts'
import { purgeCredentials } from '../identity/purge-credentials.ts'
import { deleteSnapshots } from '../configs/publication/publication-rows.ts'
import { lowPriority, type Job, type Jobs } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import { forgetChanges } from '../live/forget-changes.ts'
import type { Kit } from '../kit.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { createBelievedTime } from './believed-time.ts'
import { forgetOld } from './forget-old.ts'
import { keepAllPartitions } from './keep-all-partitions.ts'
import { purgeExpired } from './purge-expired.ts'

/** Describes the dependencies of the jobs of retention. */
export interface RetentionDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Says for how long what grows is kept. */
  readonly keptFor: Partial<Kit['settings']['keptFor']>
  readonly now: () => Date
  /** Counts milliseconds whatever happens to the clock. Default: those of this process. */
  readonly elapsed?: () => number
}

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
  const believe = createBelievedTime(deps)
  // A node that starts after months finds no partition for what comes in now. Nothing is dropped at a start.
  await keepAllPartitions(deps)
  const purge = async () => {
    const believed = await believe()
    await keepAllPartitions(deps, believed)
    await purgeCredentials({ ...deps, now: () => believed })
    await purgeExpired({ ...deps, now: () => believed })
  }
  await jobs.work('retention.purge', purge, lowPriority)
  const destroy = async () => {
    const believed = await believe()
    await destroyOrganizations({ ...deps, now: () => believed, deleteSnapshots })
  }
  await jobs.work('retention.destroyOrganizations', destroy, lowPriority)
  await jobs.work('retention.forgetChanges', () => forgetChanges(deps), lowPriority)
  const forget = async ({ signal }: Job) => {
    if (await forgetOld({ ...deps, at: await believe() }, signal)) return
    await deps.store.maintenance((tx) => jobs.enqueue(tx, 'retention.forgetOld', {}))
  }
  // One at a time: two would look at the same rows.
  await jobs.work('retention.forgetOld', forget, { ...lowPriority, concurrency: 1 })
}
