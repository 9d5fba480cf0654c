import type { Tx } from '../store/store.ts'
import type { Jobs } from './jobs.ts'
import type { QueueName } from './queue-names.ts'

export interface EventSubject {
  readonly orgId: string
  readonly id: string
}

/**
 * Emits an event in the transaction that causes it: its jobs exist if and only if that is committed. A feature declares the
 * events that it emits, such as `Emit<'deployment.changed'>`.
 */
export type Emit<Event extends string> = (tx: Tx, event: Event, of: EventSubject) => Promise<void>

/** Creates an emitter from a table of reactions, event -> queues. The key of each job is the subject's id. */
export function createEmit<Event extends string>(
  jobs: Pick<Jobs, 'enqueue'>,
  reactions: Readonly<Record<Event, readonly QueueName[]>>,
): Emit<Event> {
  return async (tx, event, { orgId, id }) => {
    for (const queue of reactions[event]) await jobs.enqueue(tx, queue, { orgId, id }, { key: id })
  }
}
