import type { Tx } from '../store/store.ts'
import type { QueueName } from './queue-names.ts'

/** Describes one piece of work in the hands of a worker. */
export interface Job {
  readonly id: string
  readonly queue: string
  /** Holds the data that was enqueued, as JSON reads it back: parse it. */
  readonly data: unknown
  /** 1 for the first try. */
  readonly attempt: number
  /** Aborted when the job's time is over or the worker lost it. */
  readonly signal: AbortSignal
}

/** Describes a job that failed permanently. */
export interface FailedJob {
  /** Its id in its queue. */
  readonly id: string
  readonly queue: string
  readonly key: string | undefined
  readonly data: unknown
  readonly attempts: number
  /** `process_ended`: the process that worked on it ended first, and may have ended because of it. */
  readonly cause: 'failed' | 'timed_out' | 'process_ended'
  /** Says for people why it failed, and quotes nothing of the job's data. */
  readonly reason: string
}

/** Describes the outcome of a try. */
export interface FinishedTry {
  readonly queue: string
  readonly outcome: 'done' | 'failed'
  readonly durationMs: number
}

/** Describes the options of enqueueing a job. */
export interface EnqueueOptions {
  /** Names the subject that the queue keeps in order, such as a deployment's id. */
  readonly key?: string
  readonly startAfter?: Date
}

/** Describes one of several jobs that are added together. */
export interface NewJob {
  readonly data: object
  readonly key?: string
  /** A UUID of the caller: jobs of one moment are done in the order of theirs. */
  readonly id?: string
}

/** Describes the options of working on a queue. */
export interface WorkOptions {
  /** Limits the jobs that run at a time. Default 2: one that does not end leaves room for others. */
  readonly concurrency?: number
  /**
   * Sets the interval of looking for jobs whose time has come, in seconds. Default 1. A job that is added runs immediately
   * whatever the interval; each poll costs the database a query.
   */
  readonly pollEverySeconds?: number
}

/** Polls every ten seconds, for work that can wait so long. */
export const lowPriority: WorkOptions = { pollEverySeconds: 10 }

/** Adds and does durable work: a job is stored with the change that asks for it, and done at least once. */
export interface Jobs<Name extends string = QueueName> {
  /** Names this life of the node. A lease with it ends a few seconds after the node does (`node_has_ended`). */
  readonly nodeId: string
  /**
   * Adds a job inside the caller's transaction: it exists if and only if that is committed, and every node is woken then.
   */
  enqueue(tx: Tx, queue: Name, data: object, options?: EnqueueOptions): Promise<void>
  /** Adds several jobs of a queue by one statement. Otherwise as `enqueue`. */
  enqueueAll(tx: Tx, queue: Name, added: readonly NewJob[]): Promise<void>
  /** Does the jobs of a queue. A handler that throws is tried again. */
  work(queue: Name, handler: (job: Job) => Promise<void>, options?: WorkOptions): Promise<void>
  /** Calls the handler with each job that failed permanently, of every queue, at least once. */
  workFailed(handler: (job: FailedJob) => Promise<void>): Promise<void>
  /** Adds a job of `queue` whenever `cron` (in UTC) is due, once for all nodes. Example: `0 3 * * *`. */
  schedule(queue: Name, cron: string): Promise<void>
  /** Polls immediately, or in a moment when it has just polled. Call it when work is announced. */
  wake(): void
  /**
   * Returns the seconds since a scheduled job was added, by any node, or since this process began to look. Some are added every
   * minute.
   */
  scheduledAgeSeconds(): number
  /** Returns the seconds since the database has finished a write of this process. It is asked for one every second. */
  writtenAgeSeconds(): number
  /** Fetches no more jobs, lets running ones end within `timeoutMs`, and returns the others to their queues. */
  close(timeoutMs?: number): Promise<void>
}
