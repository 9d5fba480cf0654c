import type { LiveTopic } from '@signalbox/contract/rest'

/** That something changed, and in which transaction. */
export interface LiveChange {
  readonly orgId: string
  readonly topic: LiveTopic
  /** Empty: any number of them, or none in particular. */
  readonly id: string
  /** The number of the transaction. */
  readonly changedIn: bigint
}
