import type { Queue } from 'pg-boss'
import type { QueueName } from './queue-names.ts'

/** Names pg-boss's dead letter queue: it copies the jobs of all queues that failed permanently into it. */
export const deadLetterQueue = 'dead'

/** Describes a kind of work: one handler does all jobs of a queue. Tests have names of their own. */
export interface QueueDefinition<Name extends string = QueueName> {
  /** Example: `deployments.enrich`. */
  readonly name: Name
  /**
   * `any`: no order. `perKey`: the jobs of a key one after the other, in the order they were committed, a
   * failing one before its successors. `latest`: at most one job of a key waits; a second says nothing more.
   * Default `any`; the others need a key with every job.
   */
  readonly order?: 'any' | 'perKey' | 'latest'
  /** Tries after the first. Default 11, which with the default delay are 12 tries in about a day. */
  readonly retries?: number
  /** Delay before the first retry; it doubles with each. Default 20. */
  readonly retryDelaySeconds?: number
  /** Limits the doubled delay. Default: no limit. */
  readonly retryDelayMaxSeconds?: number
  /** Limits the time of one try. Default 300. */
  readonly expireInSeconds?: number
}

const policies = { any: 'standard', perKey: 'key_strict_fifo', latest: 'short' } as const

const daySeconds = 86_400
/** A job that waits is never deleted because of its age: a clock may be ahead, and the job has not been seen. */
const keptUnseenSeconds = 20_000 * daySeconds

/** Returns the definition of a queue for pg-boss. A job whose worker is silent for `heartbeatSeconds` goes to another. */
export function toBossQueue(queue: QueueDefinition<string>): Queue {
  return {
    name: queue.name,
    policy: policies[queue.order ?? 'any'],
    retryLimit: queue.retries ?? 11,
    retryDelay: queue.retryDelaySeconds ?? 20,
    retryBackoff: true,
    ...(queue.retryDelayMaxSeconds !== undefined && { retryDelayMax: queue.retryDelayMaxSeconds }),
    expireInSeconds: queue.expireInSeconds ?? 300,
    heartbeatSeconds: 20,
    retentionSeconds: keptUnseenSeconds,
    deleteAfterSeconds: daySeconds,
    deadLetter: deadLetterQueue,
  }
}

/** Describes the queue in which failed jobs wait until a worker records them, also when none runs for days. */
export const deadLetterBossQueue: Queue = {
  name: deadLetterQueue,
  policy: 'standard',
  // Only trouble with the database prevents a handover.
  retryLimit: 1_000,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 600,
  heartbeatSeconds: 20,
  retentionSeconds: keptUnseenSeconds,
  deleteAfterSeconds: 30 * daySeconds,
}
