import { Problem } from '@signalbox/contract'
import { serverChain } from '../audit/audit-event.ts'
import type { Sender } from '../audit/caller.ts'
import { recordAuditEvent, recordMaintenanceEvent } from '../audit/record-event.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Scope } from '../store/scope.ts'
import type { Store, Tx } from '../store/store.ts'
import type { FailedJobRow } from './failed-job.ts'
import { claimFailedJob, hasFailedJob } from './rows.ts'

/** Describes the dependencies of `retryFailedJob` and `retryServerFailedJob`. */
export interface RetryDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly jobs: Pick<Jobs<string>, 'enqueue'>
  readonly now: () => Date
}

/** Describes a retry: the job, its author and the request. */
export interface Retry extends Sender {
  readonly id: string
}

/**
 * Enqueues a failed job of an organization again, with all its tries. Of several requests at once one does; the others get
 * `conflict`.
 *
 * @throws {Problem} `not_found`, `conflict`
 */
export async function retryFailedJob(
  deps: RetryDeps,
  scope: Scope,
  { orgId, ...retry }: Retry & { readonly orgId: string },
): Promise<FailedJobRow> {
  return deps.store.transaction(scope, async (tx) => {
    const row = await enqueueAgain(deps, tx, orgId, retry.id)
    recordAuditEvent(tx, toEvent(orgId, row, retry))
    return row
  })
}

/**
 * Retries a failed job of the server, with an event in the chain of the server.
 *
 * @throws {Problem} `not_found`, `conflict`
 */
export async function retryServerFailedJob(deps: RetryDeps, retry: Retry): Promise<FailedJobRow> {
  return deps.store.maintenance(async (tx) => {
    const row = await enqueueAgain(deps, tx, null, retry.id)
    recordMaintenanceEvent(tx, toEvent(serverChain, row, retry))
    return row
  })
}

async function enqueueAgain(
  { jobs, now }: RetryDeps,
  tx: Tx,
  orgId: string | null,
  id: string,
): Promise<FailedJobRow> {
  const job = await claimFailedJob(tx, orgId, { id, retriedAt: now() })
  if (job === undefined) {
    if (!(await hasFailedJob(tx, orgId, id))) throw notFound()
    const detail =
      'Somebody has already run this job again. If it fails again, the list shows it again.'
    throw new Problem('conflict', detail)
  }
  const { key, data, ...row } = job
  await jobs.enqueue(tx, row.queue, data, key === null ? {} : { key })
  return row
}

function toEvent(orgId: string, { id, queue, attempts }: FailedJobRow, { author, request }: Retry) {
  return {
    orgId,
    actor: author,
    request,
    action: 'failed_job.retried',
    target: { type: 'failed_job', id, name: queue },
    detail: { attempts },
  } as const
}
