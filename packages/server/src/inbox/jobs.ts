import { z } from 'zod'
import { lowPriority, type Job, type Jobs } from '../jobs/jobs.ts'
import { processWebhook, type ProcessDeps } from './process-webhook.ts'
import { pullDeliveries, type PullDeps } from './pull-deliveries.ts'
import { healQueue, inboxQueue, triesMax } from './queue.ts'
import { requeueStranded, type RequeueDeps } from './requeue-stranded.ts'

const inboxJob = z.object({ id: z.string() })

/** Holds the dependencies of the jobs of the inbox. */
export interface InboxWork {
  readonly process: ProcessDeps
  readonly requeue: RequeueDeps
  /** Opens the logs of the providers that keep one and have an application of this server. */
  readonly openPulls: () => readonly PullDeps[]
}

/** Starts the workers of the inbox: they process webhooks, those of different repositories in parallel, and recover lost ones. */
export async function workInbox(
  jobs: Pick<Jobs, 'work'>,
  { process, requeue, openPulls }: InboxWork,
): Promise<void> {
  const handle = async ({ data, attempt }: Job) => {
    const { id } = inboxJob.parse(data)
    await processWebhook(process, { id, isLastTry: attempt >= triesMax })
  }
  await jobs.work(inboxQueue.name, handle, { concurrency: 4 })
  const heal = async ({ signal }: Job) => {
    await requeueStranded(requeue)
    for (const pull of openPulls()) await pullDeliveries(pull, signal)
  }
  await jobs.work(healQueue.name, heal, lowPriority)
}
