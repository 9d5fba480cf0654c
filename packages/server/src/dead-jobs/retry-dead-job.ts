import { Problem } from '@signalbox/contract'
import { serverChain, type AuditRequest, type Author } from '../audit/audit-event.ts'
import { recordAuditEvent, recordMaintenanceEvent } from '../audit/record-event.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Scope } from '../store/scope.ts'
import type { Store, Tx } from '../store/store.ts'
import type { DeadJobRow } from './dead-job.ts'
import { hasDeadJob, takeDeadJob } from './rows.ts'

/** Describes the dependencies of `retry`. */
export interface RetryDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly jobs: Pick<Jobs<string>, 'enqueue'>
  readonly now: () => Date
}

/** Describes a retry: the job, its author and the request. */
export interface Retry {
  readonly id: string
  readonly author: Author
  readonly request: AuditRequest
}

/**
 * Puts dead work of an organization back into its queue, with all its tries. Of several who ask at once one does it.
 *
 * @throws {Problem} `not_found`, `conflict`
 */
export async function retryDeadJob(
  deps: RetryDeps,
  scope: Scope,
  { orgId, ...retry }: Retry & { readonly orgId: string },
): Promise<DeadJobRow> {
  return deps.store.transaction(scope, async (tx) => {
    const row = await putBack(deps, tx, orgId, retry.id)
    recordAuditEvent(tx, toEvent(orgId, row, retry))
    return row
  })
}

/**
 * Retries a failed job of the server, with an event in the chain of the server.
 *
 * @throws {Problem} `not_found`, `conflict`
 */
export async function retryServerDeadJob(deps: RetryDeps, retry: Retry): Promise<DeadJobRow> {
  return deps.store.maintenance(async (tx) => {
    const row = await putBack(deps, tx, null, retry.id)
    recordMaintenanceEvent(tx, toEvent(serverChain, row, retry))
    return row
  })
}

async function putBack(
  { jobs, now }: RetryDeps,
  tx: Tx,
  orgId: string | null,
  id: string,
): Promise<DeadJobRow> {
  const taken = await takeDeadJob(tx, orgId, { id, retriedAt: now() })
  if (taken === undefined) {
    if (!(await hasDeadJob(tx, orgId, id))) throw notFound()
    const detail = 'It was run again already. If that fails as well, it is in the list once more.'
    throw new Problem('conflict', detail)
  }
  const { key, data, ...row } = taken
  await jobs.enqueue(tx, row.queue, data, key === null ? {} : { key })
  return row
}

function toEvent(orgId: string, { id, queue, attempts }: DeadJobRow, { author, request }: Retry) {
  return {
    orgId,
    actor: author,
    request,
    action: 'dead_job.retried',
    target: { type: 'dead_job', id, name: queue },
    detail: { attempts },
  } as const
}
