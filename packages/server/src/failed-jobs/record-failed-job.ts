import { newId } from '../crypto/ids.ts'
import type { FailedJob } from '../jobs/jobs.ts'
import type { Kit } from '../kit.ts'
import { sqlStateOf } from '../store/store-problem.ts'
import { readSubject } from './failed-job.ts'
import { saveFailedJob } from './rows.ts'

/** Records that a job failed for good, so that the API lists it, and counts and logs it once. Safe to repeat. */
export async function recordFailedJob(
  { store, log, metrics, now }: Pick<Kit, 'store' | 'log' | 'metrics' | 'now'>,
  { id: jobId, ...job }: FailedJob,
): Promise<void> {
  const failedAt = now()
  const { orgId, subjectId } = readSubject(job.data)
  const row = await store
    .maintenance((tx) =>
      saveFailedJob(tx, { ...job, id: newId('job', failedAt), jobId, orgId, subjectId, failedAt }),
    )
    .catch(passOverDeletedOrganization)
  if (row === undefined) return
  metrics.recordFailedJob(job.queue)
  log.error('A job permanently failed and waits for a person to run it again', {
    queue: job.queue,
    jobId: row.id,
    orgId,
    attempts: job.attempts,
    code: job.cause,
    reason: job.reason,
  })
}

const foreignKeyViolation = '23503'

/** Drops the job of a deleted organization, whose members would have to look at it. */
function passOverDeletedOrganization(error: unknown): undefined {
  if (sqlStateOf(error) !== foreignKeyViolation) throw error
}
