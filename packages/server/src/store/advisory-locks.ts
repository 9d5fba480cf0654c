const service = 0x5347_4e4c

/**
 * The locks that processes of the service take among PostgreSQL's advisory locks, all of them here, so that no two are
 * the same by accident. Each is named by two numbers: the service and the purpose.
 */
export const advisoryLocks = {
  /** In the database `postgres`: whoever holds it runs the service on an embedded cluster. */
  embeddedOwner: [service, 1],
  /** Whoever holds it brings the database to the shape that the code expects, queues included. */
  migration: [service, 2],
  /**
   * Running nodes share it for as long as they listen, so that an import, which takes it alone, never puts other data
   * under them: they hold data keys, schemas and credentials in memory.
   */
  nodes: [service, 3],
} as const

/** Of those who add to queues of the latest (jobs/latest-jobs.ts): the second number is of the job's key. */
export const latestJobsLock = service + 1
