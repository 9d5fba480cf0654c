import { lowPriority, type Jobs } from '../../jobs/jobs.ts'
import type { QueueDefinition } from '../../jobs/queue.ts'
import { noteDueSecrets, type NoteDueDeps } from './note-due-secrets.ts'

/** Holds the queue in which secrets that are due are noted. */
export const dueSecretsQueue: QueueDefinition = { name: 'configs.noteDueSecrets', retries: 0 }

/** Starts the worker that notes due secrets. */
export async function workDueSecrets(jobs: Jobs, deps: NoteDueDeps): Promise<void> {
  await jobs.work('configs.noteDueSecrets', () => noteDueSecrets(deps), lowPriority)
}
