import { queues } from '../app.ts'
import { createJobs } from '../jobs/create-jobs.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { queueNames, type QueueName } from '../jobs/queue-names.ts'
import type { Closing, Feature, ProcessKit } from '../kit.ts'
import { schedule } from '../pipeline.ts'
import type { OpenStore } from '../store/open-store.ts'

/** Limits the time that running jobs have to finish once the process must stop. */
const drainMs = 1_000

/** Opens the jobs: to add to them, and for a worker to do them. */
export async function openJobs(
  { settings, log, metrics, stop }: ProcessKit,
  { store, closing }: { readonly store: OpenStore; readonly closing: Closing },
): Promise<Jobs> {
  const jobs = await createJobs({
    target: store.target,
    poolTarget: store.poolTarget('signalbox_maintenance'),
    queues,
    log,
    worker: settings.roles.has('worker'),
    // One process alone has an embedded database.
    isAlone: settings.databaseUrl === undefined,
    signal: stop,
    onTry: (finished) => metrics.recordJob(finished),
  })
  closing.push(() => jobs.close(drainMs))
  metrics.watchSchedules(() => jobs.scheduledAgeSeconds())
  return jobs
}

/** Starts the workers of every feature on this node, and the schedule. */
export async function startWork(
  {
    store,
    jobs,
    closing,
  }: { readonly store: OpenStore; readonly jobs: Jobs; readonly closing: Closing },
  features: readonly Feature[],
): Promise<void> {
  const times: Partial<Record<QueueName, string>> = schedule
  await Promise.all([
    ...features.map((feature) => feature.work?.()),
    ...queueNames.map((queue) => times[queue] && jobs.schedule(queue, times[queue])),
  ])
  closing.push(store.onAnnounce('jobs', () => jobs.wake()))
}
