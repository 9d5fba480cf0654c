import { newId } from '../crypto/ids.ts'
import type { DeadJob } from '../jobs/jobs.ts'
import { sqlStateOf } from '../store/faults.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { readSubject } from './dead-job.ts'
import { saveDeadJob } from './rows.ts'

/** Describes the dependencies of `recordDeadJob`. */
export interface RecordDeadJobDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'recordDeadJob'>
  readonly now: () => Date
}

/** Notes that a job failed for good, where people see it, and says so once in the log and the metrics. Safe to repeat. */
export async function recordDeadJob(
  { store, log, metrics, now }: RecordDeadJobDeps,
  { id: jobId, ...job }: DeadJob,
): Promise<void> {
  const failedAt = now()
  const { orgId, subjectId } = readSubject(job.data)
  const row = await store
    .maintenance((tx) =>
      saveDeadJob(tx, { ...job, id: newId('job', failedAt), jobId, orgId, subjectId, failedAt }),
    )
    .catch(passOverDeletedOrganization)
  if (row === undefined) return
  metrics.recordDeadJob(job.queue)
  log.error('A job is dead and waits for somebody to run it again', {
    queue: job.queue,
    jobId: row.id,
    orgId,
    attempts: job.attempts,
    code: job.cause,
    reason: job.reason,
  })
}

const foreignKeyViolation = '23503'

/** Nobody is left to look at the work of an organization that is gone. */
function passOverDeletedOrganization(error: unknown): undefined {
  if (sqlStateOf(error) !== foreignKeyViolation) throw error
}
