import type { QueueDefinition } from '../jobs/queue.ts'

/** How often a webhook is tried. */
export const triesMax = 8

/**
 * One job for each webhook. Handlers only write rows and add jobs, so a webhook that fails eight times in ten minutes meets
 * a fault of ours, and those behind it need not wait for a day.
 */
export const inboxQueue = {
  name: 'inbox.process',
  order: 'perKey',
  retries: triesMax - 1,
  retryDelaySeconds: 5,
  expireInSeconds: 60,
} as const satisfies QueueDefinition

/** Looks for webhooks that got lost: in the provider's log, and here. Each is added by the schedule. */
export const healQueue = { name: 'inbox.heal', retries: 0 } as const satisfies QueueDefinition
