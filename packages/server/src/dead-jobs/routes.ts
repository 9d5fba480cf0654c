import { deadJobEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { toAuthor } from '../audit/author.ts'
import type { Actor } from '../http/admission/actor.ts'
import type { Router } from '../http/router.ts'
import { presentDeadJob, type DeadJobRow } from './dead-job.ts'
import { listDeadJobs, listServerDeadJobs, type ListDeadJobs } from './list-dead-jobs.ts'
import { retryDeadJob, retryServerDeadJob, type Retry, type RetryDeps } from './retry-dead-job.ts'

const position = z.object({ id: z.string(), failedAt: z.iso.datetime() })

/** Mounts what people see of work that failed for good. */
export function mountDeadJobs(router: Router, deps: RetryDeps): void {
  router
    .add(endpoints.listDeadJobs, {
      async handle({ query: { limit }, organization, scope, readCursor }) {
        const after = toPosition(readCursor(position))
        const of = { orgId: organization.id, after, limit }
        return toPage(await listDeadJobs(deps, scope, of), of)
      },
      present: presentPage,
    })
    .add(endpoints.retryDeadJob, {
      handle: ({ params, organization, scope, ...request }) =>
        retryDeadJob(deps, scope, { orgId: organization.id, ...toRetry(params.job_id, request) }),
      present: presentDeadJob,
    })
    .add(endpoints.listServerDeadJobs, {
      async handle({ query: { limit }, readCursor }) {
        const of = { after: toPosition(readCursor(position)), limit }
        return toPage(await listServerDeadJobs(deps, of), of)
      },
      present: presentPage,
    })
    .add(endpoints.retryServerDeadJob, {
      handle: ({ params, ...request }) => retryServerDeadJob(deps, toRetry(params.job_id, request)),
      present: presentDeadJob,
    })
}

function toPosition(cursor: z.output<typeof position> | undefined): ListDeadJobs['after'] {
  return cursor && { id: cursor.id, failedAt: new Date(cursor.failedAt) }
}

interface Page {
  readonly items: readonly DeadJobRow[]
  /** `undefined`: it is the last page. */
  readonly last: DeadJobRow | undefined
}

function toPage(rows: readonly DeadJobRow[], { limit }: ListDeadJobs): Page {
  const items = rows.slice(0, limit)
  return { items, last: rows.length > limit ? items.at(-1) : undefined }
}

function presentPage(
  { items, last }: Page,
  { writeCursor }: { readonly writeCursor: (position: unknown) => string },
) {
  return {
    items: items.map(presentDeadJob),
    nextCursor: last ? writeCursor({ id: last.id, failedAt: last.failedAt.toISOString() }) : null,
  }
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
