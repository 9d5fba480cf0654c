import type { QueueDefinition } from '../jobs/queue.ts'

/** Limits the tries of a webhook. */
export const triesMax = 8

/**
 * Defines the queue with one job for each webhook. Handlers only write rows and add jobs, so that a webhook that fails eight
 * times in ten minutes shows a bug of ours: those behind it need not wait for a day.
 */
export const inboxQueue = {
  name: 'inbox.process',
  order: 'perKey',
  retries: triesMax - 1,
  retryDelaySeconds: 5,
  expireInSeconds: 60,
} as const satisfies QueueDefinition

/** Defines the queue that recovers lost webhooks, from the providers' logs and from rows without a job. The schedule adds its jobs. */
export const healQueue = { name: 'inbox.heal', retries: 0 } as const satisfies QueueDefinition
