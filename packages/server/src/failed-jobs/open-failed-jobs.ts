import type { Feature, Kit } from '../kit.ts'
import { workFailedJobs } from './jobs.ts'
import { mountFailedJobs } from './routes.ts'

/** Opens the list of jobs that failed for good, and recording them. */
export function openFailedJobs({ store, jobs, log, metrics, now }: Kit): Feature {
  return {
    mount: (router) => mountFailedJobs(router, { store, jobs, now }),
    work: () => workFailedJobs(jobs, { store, log, metrics, now }),
  }
}
