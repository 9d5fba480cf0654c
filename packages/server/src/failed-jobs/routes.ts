import { failedJobEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { toSender } from '../audit/caller.ts'
import type { Router } from '../http/router.ts'
import { presentFailedJob, type FailedJobRow } from './failed-job.ts'
import { listFailedJobs, listServerFailedJobs } from './list-failed-jobs.ts'
import { retryFailedJob, retryServerFailedJob, type RetryDeps } from './retry-failed-job.ts'

const position = z.object({ id: z.string(), failedAt: z.coerce.date() })
const positionOf = ({ id, failedAt }: FailedJobRow) => ({ id, failedAt })

/** Mounts the lists of failed jobs, of an organization and of the server, and their retries. */
export function mountFailedJobs(router: Router, deps: RetryDeps): void {
  router
    .addPage(endpoints.listFailedJobs, {
      position,
      list: ({ organization, scope }, page) =>
        listFailedJobs(deps, scope, { orgId: organization.id, ...page }),
      positionOf,
      present: presentFailedJob,
    })
    .add(endpoints.retryFailedJob, {
      handle: (request) =>
        retryFailedJob(deps, request.scope, {
          orgId: request.organization.id,
          id: request.params.job_id,
          ...toSender(request),
        }),
      present: presentFailedJob,
    })
    .addPage(endpoints.listServerFailedJobs, {
      position,
      list: (_request, page) => listServerFailedJobs(deps, page),
      positionOf,
      present: presentFailedJob,
    })
    .add(endpoints.retryServerFailedJob, {
      handle: (request) =>
        retryServerFailedJob(deps, { id: request.params.job_id, ...toSender(request) }),
      present: presentFailedJob,
    })
}
