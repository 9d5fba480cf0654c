import { lowPriority, type Jobs } from '../../jobs/jobs.ts'
import type { QueueDefinition } from '../../jobs/queue.ts'
import { signSnapshots, type SigningDeps } from './sign-snapshots.ts'

/** Holds the queue in which snapshots are signed that no write has signed. */
export const signingQueue: QueueDefinition = { name: 'configs.signSnapshots', retries: 0 }

/** Starts the worker that signs snapshots. */
export async function workSigning(jobs: Jobs, deps: SigningDeps): Promise<void> {
  await jobs.work(
    'configs.signSnapshots',
    async () => {
      await signSnapshots(deps)
    },
    lowPriority,
  )
}
