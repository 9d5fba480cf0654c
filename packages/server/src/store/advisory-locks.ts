const service = 0x5347_4e4c

/**
 * Lists the advisory locks that processes of the service take in PostgreSQL, all of them here, so that no two are the
 * same by accident. Two numbers name each: the service and the purpose.
 */
export const advisoryLocks = {
  /** Held in the database `postgres` by the process that runs the service on an embedded cluster. */
  embeddedOwner: [service, 1],
  /** Held by the process that migrates the database, queues included. */
  migration: [service, 2],
  /**
   * Shared by running nodes while they listen. An import takes it alone, so that it never replaces data under a node,
   * which has data keys, schemas and credentials in memory.
   */
  nodes: [service, 3],
  /** Held for a moment by a process that publishes a replica, so that marks are in the order of what they show. */
  publication: [service, 4],
} as const

/**
 * Numbers the lock of writers to queues of the latest (jobs/latest-jobs.ts). The second number comes from the job's
 * key.
 */
export const latestJobsLock = service + 1
