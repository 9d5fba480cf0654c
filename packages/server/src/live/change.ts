import type { LiveTopic } from '@signalbox/contract/rest'

/** Describes a change that dashboards show, and the transaction that made it. */
export interface LiveChange {
  readonly orgId: string
  readonly topic: LiveTopic
  /** Holds the id of the changed thing; empty for many things, or for none in particular. */
  readonly id: string
  /** Holds the number of the transaction. */
  readonly changedIn: bigint
}
