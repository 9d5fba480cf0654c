import type { Tx } from '../store/store.ts'
import type { Jobs } from './jobs.ts'
import type { QueueName } from './queue-names.ts'

/** Describes the subject of an event. */
export interface EventSubject {
  readonly orgId: string
  readonly id: string
}

/**
 * Says that something happened, in the transaction that made it happen: the jobs that follow from it exist if and only if
 * that is committed. A feature asks for the events that it tells of, such as `Emit<'deployment.changed'>`.
 */
export type Emit<Event extends string> = (tx: Tx, event: Event, of: EventSubject) => Promise<void>

/** Emits by a table of what follows what: event -> queues. The key of each job is the id. */
export function createEmit<Event extends string>(
  jobs: Pick<Jobs, 'enqueue'>,
  reactions: Readonly<Record<Event, readonly QueueName[]>>,
): Emit<Event> {
  return async (tx, event, { orgId, id }) => {
    for (const queue of reactions[event]) await jobs.enqueue(tx, queue, { orgId, id }, { key: id })
  }
}
