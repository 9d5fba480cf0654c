import type { QueueDefinition } from '../../../packages/server/src/jobs/queue.ts'

/** With all tries of the product and none of its patience: two seconds for each, and one between two. */
export const poisonQueue = {
  name: 'shop.bake',
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  expireInSeconds: 2,
} as const satisfies QueueDefinition<string>

/** The same where a try may take as long as in the product. */
export const patientQueue = {
  ...poisonQueue,
  name: 'shop.wait',
  expireInSeconds: 300,
} as const satisfies QueueDefinition<string>

/** Names the behaviour of a job. */
export type PoisonKind = 'ends' | 'throws' | 'hangs' | 'crashes'
