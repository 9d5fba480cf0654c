import type { Jobs } from '../jobs/jobs.ts'
import { recordFailedJob, type RecordFailedJobDeps } from './record-failed-job.ts'

/** Starts the worker that records jobs that failed for good. Every node that works runs it. */
export async function workFailedJobs(
  jobs: Pick<Jobs, 'workFailed'>,
  deps: RecordFailedJobDeps,
): Promise<void> {
  await jobs.workFailed((job) => recordFailedJob(deps, job))
}
