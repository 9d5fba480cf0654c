import { z } from 'zod'
import { lowPriority, type Job, type Jobs } from '../jobs/jobs.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { processWebhook, type ProcessDeps } from './process-webhook.ts'
import { pullDeliveries, type PullDeps } from './pull-deliveries.ts'
import { healQueue, inboxQueue, triesMax } from './queue.ts'
import type { Kit } from '../kit.ts'
import { requeueStranded } from './requeue-stranded.ts'

const inboxJob = z.object({ id: z.string() })

/** Holds the dependencies of the jobs of the inbox. */
export interface InboxWork {
  readonly process: ProcessDeps
  readonly requeue: Pick<Kit, 'store' | 'jobs' | 'now'>
  /** Opens the logs of the providers that keep one and have an application of this server. */
  readonly openPulls: () => readonly PullDeps[]
}

/** Returns whether the next run of the schedule may find the provider well: no person has to do anything. */
function isPassing(error: unknown): error is ProviderError {
  return (
    error instanceof ProviderError &&
    ['unavailable', 'ambiguous', 'rateLimited'].includes(error.failure)
  )
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
  const unreached = new Set<string>()
  const noteReach = ({ provider: { name } }: PullDeps, error: ProviderError | undefined) => {
    if (error === undefined) return void unreached.delete(name)
    if (unreached.has(name)) return
    unreached.add(name)
    process.log.warn('Missed webhooks can’t be looked for until the provider answers', {
      reason: error.message,
    })
  }
  const heal = async ({ signal }: Job) => {
    await requeueStranded(requeue)
    for (const pull of openPulls()) {
      await pullDeliveries(pull, signal).then(
        () => noteReach(pull, undefined),
        (error: unknown) => {
          if (!isPassing(error)) throw error
          noteReach(pull, error)
        },
      )
    }
  }
  await jobs.work(healQueue.name, heal, lowPriority)
}
