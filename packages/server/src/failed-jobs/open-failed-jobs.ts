import type { Feature, Kit } from '../kit.ts'
import { recordFailedJob } from './record-failed-job.ts'
import { mountFailedJobs } from './routes.ts'

/** Opens the list of jobs that failed for good, and recording them. */
export function openFailedJobs(kit: Kit): Feature {
  return {
    mount: (router) => mountFailedJobs(router, kit),
    work: () => kit.jobs.workFailed((job) => recordFailedJob(kit, job)),
  }
}
