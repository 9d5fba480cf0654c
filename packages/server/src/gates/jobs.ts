import { jobSubject } from '../jobs/job-subject.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import { answerHost } from './answer-host.ts'
import type { GateDeps } from './gate-deps.ts'

/** Lists the queues of gates. An answer is tried again soon: people look at a run that waits. */
export const gateQueues: readonly QueueDefinition[] = [
  {
    name: 'gates.answer',
    order: 'latest',
    retries: 40,
    retryDelaySeconds: 5,
    retryDelayMaxSeconds: 3_600,
    expireInSeconds: 60,
  },
]

/** Starts the worker that brings decisions to the code host. */
export async function workGates(jobs: Jobs, deps: GateDeps): Promise<void> {
  await jobs.work('gates.answer', ({ data }) => answerHost(deps, jobSubject.parse(data)))
}
