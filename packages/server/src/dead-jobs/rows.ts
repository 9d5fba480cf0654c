import type { DeadJob } from '../jobs/jobs.ts'
import type { QueueName } from '../jobs/queue-names.ts'
import type { Tx } from '../store/store.ts'
import type { DeadJobRow } from './dead-job.ts'

const columns = `id, org_id as "orgId", queue, subject_id as "subjectId", cause, reason, attempts, deaths,
  failed_at as "failedAt", retried_at as "retriedAt"`

/** Describes a failed job that is to be stored. */
export interface NewDeadJob extends Omit<DeadJob, 'id'> {
  readonly id: string
  /** The id while it lived. */
  readonly jobId: string
  readonly orgId: string | null
  readonly subjectId: string | null
  readonly failedAt: Date
}

/**
 * Records that a job is dead: as a row, or in the row of the same work. Returns it, and nothing when it was recorded before;
 * violates a foreign key when its organization is gone.
 */
export async function saveDeadJob(tx: Tx, job: NewDeadJob): Promise<DeadJobRow | undefined> {
  const [row] = await tx.query<DeadJobRow>({
    name: 'save-dead-job',
    text: `insert into dead_jobs as d (id, org_id, queue, job_id, key, data, data_hash, subject_id, cause, reason, attempts, failed_at)
      values ($1, $2, $3, $4, $5, $6::jsonb, sha256(convert_to($6::jsonb::text, 'UTF8')), $7, $8, $9, $10, $11)
      on conflict (org_id, queue, data_hash) do update set job_id = excluded.job_id, key = excluded.key,
        cause = excluded.cause, reason = excluded.reason, attempts = excluded.attempts, deaths = d.deaths + 1,
        failed_at = excluded.failed_at, retried_at = null
      where d.job_id <> excluded.job_id
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

/** Describes the last job of the page before. */
export interface DeadJobPosition {
  readonly id: string
  readonly failedAt: Date
}

/** Lists the failed jobs of an organization that wait for a person, newest first. `null`: those of the server. */
export async function pageDeadJobs(
  tx: Tx,
  orgId: string | null,
  { after, limit }: { readonly after: DeadJobPosition | undefined; readonly limit: number },
): Promise<DeadJobRow[]> {
  const whose = orgId === null ? 'org_id is null and $1::text is null' : 'org_id = $1'
  return tx.query<DeadJobRow>({
    name: orgId === null ? 'page-dead-jobs-of-server' : 'page-dead-jobs',
    text: `select ${columns} from dead_jobs where ${whose} and retried_at is null
      and ($2::timestamptz is null or (failed_at, id) < ($2, $3)) order by failed_at desc, id desc limit $4`,
    values: [orgId, after?.failedAt ?? null, after?.id ?? null, limit],
  })
}

/** Describes the job that is enqueued again. */
export interface DeadWork {
  readonly key: string | null
  readonly data: object
}

/** Takes up a dead job, for whoever asks first. */
export async function takeDeadJob(
  tx: Tx,
  orgId: string | null,
  { id, retriedAt }: { readonly id: string; readonly retriedAt: Date },
): Promise<(DeadJobRow & DeadWork) | undefined> {
  const [row] = await tx.query<DeadJobRow & DeadWork>({
    name: 'take-dead-job',
    text: `update dead_jobs set retried_at = $3
      where org_id is not distinct from $1 and id = $2 and retried_at is null returning ${columns}, key, data`,
    values: [orgId, id, retriedAt],
  })
  return row
}

/** Returns whether a failed job is stored, taken up or not. */
export async function hasDeadJob(tx: Tx, orgId: string | null, id: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'has-dead-job',
    text: 'select from dead_jobs where org_id is not distinct from $1 and id = $2',
    values: [orgId, id],
  })
  return rows.length > 0
}

/**
 * Lists what the dead jobs of a queue are about that ended their process each time, and that nobody has taken up. For sweeps
 * that look for work without a job: put back by one of them, such a job would end the next process.
 */
export async function listFatalSubjects(tx: Tx, queue: QueueName): Promise<string[]> {
  const rows = await tx.query<{ subjectId: string }>({
    name: 'list-fatal-subjects',
    text: `select subject_id as "subjectId" from dead_jobs
      where queue = $1 and subject_id is not null and cause = 'process_ended' and retried_at is null`,
    values: [queue],
  })
  return rows.map(({ subjectId }) => subjectId)
}
