import { failedJobEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { toAuthor } from '../audit/author.ts'
import type { Actor } from '../http/admission/actor.ts'
import type { Router } from '../http/router.ts'
import { presentFailedJob, type FailedJobRow } from './failed-job.ts'
import { listFailedJobs, listServerFailedJobs } from './list-failed-jobs.ts'
import {
  retryFailedJob,
  retryServerFailedJob,
  type Retry,
  type RetryDeps,
} from './retry-failed-job.ts'

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
      handle: ({ params, organization, scope, ...request }) =>
        retryFailedJob(deps, scope, { orgId: organization.id, ...toRetry(params.job_id, request) }),
      present: presentFailedJob,
    })
    .addPage(endpoints.listServerFailedJobs, {
      position,
      list: (_request, page) => listServerFailedJobs(deps, page),
      positionOf,
      present: presentFailedJob,
    })
    .add(endpoints.retryServerFailedJob, {
      handle: ({ params, ...request }) =>
        retryServerFailedJob(deps, toRetry(params.job_id, request)),
      present: presentFailedJob,
    })
}

interface RetryRequest {
  readonly actor: Actor
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
}

function toRetry(id: string, { actor, requestId, ip, userAgent }: RetryRequest): Retry {
  return { id, author: toAuthor(actor), request: { requestId, ip, userAgent } }
}
