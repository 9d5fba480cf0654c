import type { PgBoss } from 'pg-boss'

/**
 * Releases the successors of a job that failed permanently. pg-boss blocks a key until the failed job is removed. A person looks
 * at its copy in `failed_jobs`, so that the job itself is removed here.
 */
export async function freeBlockedKeys(boss: PgBoss, queues: readonly string[]): Promise<void> {
  for (const queue of queues) {
    for (const key of await boss.getBlockedKeys(queue)) {
      const jobs = await boss.findJobs(queue, { key })
      const failed = jobs.filter(({ state }) => state === 'failed').map(({ id }) => id)
      if (failed.length > 0) await boss.deleteJob(queue, failed)
    }
  }
}
