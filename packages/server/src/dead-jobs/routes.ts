import { failedJobEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { toAuthor } from '../audit/author.ts'
import type { Actor } from '../http/admission/actor.ts'
import type { Router } from '../http/router.ts'
import { presentDeadJob, type DeadJobRow } from './dead-job.ts'
import { listDeadJobs, listServerDeadJobs } from './list-dead-jobs.ts'
import { retryDeadJob, retryServerDeadJob, type Retry, type RetryDeps } from './retry-dead-job.ts'

const position = z.object({ id: z.string(), failedAt: z.coerce.date() })
const positionOf = ({ id, failedAt }: DeadJobRow) => ({ id, failedAt })

/** Mounts what people see of work that failed for good. */
export function mountDeadJobs(router: Router, deps: RetryDeps): void {
  router
    .addPage(endpoints.listDeadJobs, {
      position,
      list: ({ organization, scope }, page) =>
        listDeadJobs(deps, scope, { orgId: organization.id, ...page }),
      positionOf,
      present: presentDeadJob,
    })
    .add(endpoints.retryDeadJob, {
      handle: ({ params, organization, scope, ...request }) =>
        retryDeadJob(deps, scope, { orgId: organization.id, ...toRetry(params.job_id, request) }),
      present: presentDeadJob,
    })
    .addPage(endpoints.listServerDeadJobs, {
      position,
      list: (_request, page) => listServerDeadJobs(deps, page),
      positionOf,
      present: presentDeadJob,
    })
    .add(endpoints.retryServerDeadJob, {
      handle: ({ params, ...request }) => retryServerDeadJob(deps, toRetry(params.job_id, request)),
      present: presentDeadJob,
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
