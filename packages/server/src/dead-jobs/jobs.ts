import type { Jobs } from '../jobs/jobs.ts'
import { recordDeadJob, type RecordDeadJobDeps } from './record-dead-job.ts'

/** Takes over jobs that failed for good. */
export async function workDeadJobs(
  jobs: Pick<Jobs, 'workDead'>,
  deps: RecordDeadJobDeps,
): Promise<void> {
  await jobs.workDead((job) => recordDeadJob(deps, job))
}
