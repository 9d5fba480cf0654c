import { jobSubject } from '../../jobs/job-subject.ts'
import { lowPriority, type Jobs } from '../../jobs/jobs.ts'
import type { QueueDefinition } from '../../jobs/queue.ts'
import { runTarget } from './run-target.ts'
import type { TargetDeps } from './target-deps.ts'
import { takeWaitingTargets } from './target-rows.ts'

/** Lists the queues of targets. The rows say what is to be written: a job that is lost or repeated changes only the time. */
export const targetQueues: readonly QueueDefinition[] = [
  { name: 'targets.run', order: 'latest', retryDelayMaxSeconds: 3600, expireInSeconds: 900 },
  { name: 'targets.sweep', retries: 0 },
]

const targetsAtATime = 200

/** Adds a job for each target whose environment was published since its last job. */
export async function enqueueWaitingTargets({
  store,
  jobs,
}: Pick<TargetDeps, 'store' | 'jobs'>): Promise<void> {
  await store.maintenance(async (tx) => {
    const waiting = await takeWaitingTargets(tx, targetsAtATime)
    for (const { orgId, id } of waiting) {
      await jobs.enqueue(tx, 'targets.run', { orgId, id }, { key: id })
    }
  })
}

/** Starts the workers of targets. */
export async function workTargets(jobs: Pick<Jobs, 'work'>, deps: TargetDeps): Promise<void> {
  await jobs.work('targets.run', ({ data, signal }) =>
    runTarget(deps, jobSubject.parse(data), signal),
  )
  await jobs.work('targets.sweep', () => enqueueWaitingTargets(deps), lowPriority)
}
