/**
 * What happens after what. Read this page to follow a change from the write to the application that reads it.
 *
 * A write commits, in one transaction: the values, the version, the audit event, and the snapshots that browsers and
 * servers will read. What follows does not call each other:
 */
export const reactions = {
  /** Configuration was written: every node hears of it, reads the snapshots and tells its streams. */
  'config.committed': ['store.announce', 'delivery.refresh', 'delivery.streams'],
  /** Keys, organizations or signing keys changed: every node's key ring follows within two seconds. */
  'identity.committed': ['store.announce', 'keyRing.refresh'],
} as const satisfies Record<string, readonly string[]>

/** Work that nobody asks for: a queue of jobs, and when one is added to it (UTC). One node does it for all. */
export const schedule = {
  /** Ended sessions, keys and tokens that were revoked long ago, answers kept for repeats. */
  'retention.purge': '17 * * * *',
  /** Organizations deleted seven days ago: the rows, and the key that opens what backups still hold. */
  'retention.destroyOrganizations': '43 3 * * *',
} as const satisfies Record<string, string>

export type ScheduledQueue = keyof typeof schedule
