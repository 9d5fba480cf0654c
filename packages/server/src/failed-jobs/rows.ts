import type { FailedJob } from '../jobs/jobs.ts'
import type { QueueName } from '../jobs/queue-names.ts'
import type { Tx } from '../store/store.ts'
import type { FailedJobRow } from './failed-job.ts'

const columns = `id, org_id as "orgId", queue, subject_id as "subjectId", cause, reason, attempts, failures,
  failed_at as "failedAt", retried_at as "retriedAt"`

/** Describes a failed job that is to be stored. */
export interface NewFailedJob extends Omit<FailedJob, 'id'> {
  readonly id: string
  /** Its id in the queue. */
  readonly jobId: string
  readonly orgId: string | null
  readonly subjectId: string | null
  readonly failedAt: Date
}

/**
 * Stores a job that failed for good: as a row, or in the row of equal work, which then counts one failure more. Returns the
 * row, and `undefined` when this job is stored already; violates a foreign key when its organization is gone.
 */
export async function saveFailedJob(tx: Tx, job: NewFailedJob): Promise<FailedJobRow | undefined> {
  const [row] = await tx.query<FailedJobRow>({
    name: 'save-failed-job',
    text: `insert into failed_jobs as f (id, org_id, queue, job_id, key, data, data_hash, subject_id, cause, reason, attempts, failed_at)
      values ($1, $2, $3, $4, $5, $6::jsonb, sha256(convert_to($6::jsonb::text, 'UTF8')), $7, $8, $9, $10, $11)
      on conflict (org_id, queue, data_hash) do update set job_id = excluded.job_id, key = excluded.key,
        cause = excluded.cause, reason = excluded.reason, attempts = excluded.attempts, failures = f.failures + 1,
        failed_at = excluded.failed_at, retried_at = null
      where f.job_id <> excluded.job_id
      returning ${columns}`,
    values: [
      job.id,
      job.orgId,
      job.queue,
      job.jobId,
      job.key ?? null,
      JSON.stringify(job.data ?? {}),
      job.subjectId,
      job.cause,
      job.reason,
      job.attempts,
      job.failedAt,
    ],
  })
  return row
}

/** Describes where a page begins: behind this job, the last one of the page before. */
export interface FailedJobPosition {
  readonly id: string
  readonly failedAt: Date
}

/** Lists the failed jobs of an organization that nobody has run again, newest first. `orgId` `null`: those of the server. */
export async function pageFailedJobs(
  tx: Tx,
  orgId: string | null,
  { after, limit }: { readonly after: FailedJobPosition | undefined; readonly limit: number },
): Promise<FailedJobRow[]> {
  const owner = orgId === null ? 'org_id is null and $1::text is null' : 'org_id = $1'
  return tx.query<FailedJobRow>({
    name: orgId === null ? 'page-failed-jobs-of-server' : 'page-failed-jobs',
    text: `select ${columns} from failed_jobs where ${owner} and retried_at is null
      and ($2::timestamptz is null or (failed_at, id) < ($2, $3)) order by failed_at desc, id desc limit $4`,
    values: [orgId, after?.failedAt ?? null, after?.id ?? null, limit],
  })
}

/** Describes how a failed job is enqueued again: as it was the first time. */
export interface RetriedWork {
  readonly key: string | null
  readonly data: object
}

/** Marks a failed job as run again and returns it. Returns `undefined` to all but the first caller. */
export async function claimFailedJob(
  tx: Tx,
  orgId: string | null,
  { id, retriedAt }: { readonly id: string; readonly retriedAt: Date },
): Promise<(FailedJobRow & RetriedWork) | undefined> {
  const [row] = await tx.query<FailedJobRow & RetriedWork>({
    name: 'claim-failed-job',
    text: `update failed_jobs set retried_at = $3
      where org_id is not distinct from $1 and id = $2 and retried_at is null returning ${columns}, key, data`,
    values: [orgId, id, retriedAt],
  })
  return row
}

/** Returns whether a failed job is stored, run again or not. */
export async function hasFailedJob(tx: Tx, orgId: string | null, id: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'has-failed-job',
    text: 'select from failed_jobs where org_id is not distinct from $1 and id = $2',
    values: [orgId, id],
  })
  return rows.length > 0
}

/**
 * Lists the subjects of a queue's failed jobs that ended their process at the last try and were not run again. Sweeps, which
 * enqueue work that lost its job, leave these subjects out: such a job would end the next process.
 */
export async function listFatalSubjects(tx: Tx, queue: QueueName): Promise<string[]> {
  const rows = await tx.query<{ subjectId: string }>({
    name: 'list-fatal-subjects',
    text: `select subject_id as "subjectId" from failed_jobs
      where queue = $1 and subject_id is not null and cause = 'process_ended' and retried_at is null`,
    values: [queue],
  })
  return rows.map(({ subjectId }) => subjectId)
}
