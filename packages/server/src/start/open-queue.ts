import { deploymentQueues } from '../deployments/jobs.ts'
import { healQueue, inboxQueue } from '../inbox/queue.ts'
import { integrationQueues } from '../integrations/jobs.ts'
import { createJobs } from '../jobs/create-jobs.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import { notificationQueues } from '../notifications/jobs.ts'
import { retentionQueues } from '../retention/jobs.ts'
import { testRunQueues } from '../test-runs/jobs.ts'
import type { Resources } from './resources.ts'

/** Lists the queues of every feature. */
export const queues: readonly QueueDefinition[] = [
  ...retentionQueues,
  ...integrationQueues,
  inboxQueue,
  healQueue,
  ...deploymentQueues,
  ...testRunQueues,
  ...notificationQueues,
]

/** How long running jobs may take to finish once the process is asked to stop. */
const drainMs = 1_000

/** Opens the queue: to add to it, and for a worker to do what is in it. */
export async function openQueue(resources: Resources): Promise<Jobs> {
  const { store, settings, closing, log, metrics, stop } = resources
  const worker = settings.roles.has('worker')
  const jobs = await createJobs({
    target: store.target,
    queues,
    log,
    worker,
    signal: stop,
    onTry: (finished) => metrics.recordJob(finished),
  })
  closing.push(() => jobs.close(drainMs))
  return jobs
}
