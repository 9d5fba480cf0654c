import { listFatalSubjects } from '../failed-jobs/rows.ts'
import type { Kit } from '../kit.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'
import { takeStrandedDeliveries } from './rows.ts'

/** Waits three times as long as all tries of a webhook take. */
const strandedAfterMs = 30 * 60_000
const limit = 500

/** Adds a job for each webhook that has been open for half an hour, 500 at most, and returns how many. */
export async function requeueStranded({
  store,
  jobs,
  now,
}: Pick<Kit, 'store' | 'jobs' | 'now'>): Promise<number> {
  const at = now()
  const before = new Date(at.getTime() - strandedAfterMs)
  const stranded = await store.maintenance(async (tx) => {
    const except = await listFatalSubjects(tx, 'inbox.process')
    const taken = await takeStrandedDeliveries(tx, { before, now: at, except, limit })
    await enqueueDeliveries(jobs, tx, taken)
    return taken
  })
  return stranded.length
}
