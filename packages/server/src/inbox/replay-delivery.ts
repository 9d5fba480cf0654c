import type { Author, AuditRequest } from '../audit/audit-event.ts'
import { recordAuditEvent } from '../audit/record-event.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import { findDelivery, reopenDelivery, type DeliveryRow } from './delivery-rows.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'

/** Describes the dependencies of `replayDelivery` and `replayDeliveries`. */
export interface ReplayDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly jobs: Pick<Jobs, 'enqueueAll'>
}

/** Describes the replay of one webhook: which, and by whom. */
export interface ReplayDelivery {
  readonly orgId: string
  readonly id: string
  readonly author: Author
  readonly request: AuditRequest
}

/**
 * Replays a webhook, whatever its outcome. Returns one that still waits as it is.
 *
 * @throws {Problem} `not_found`
 */
export async function replayDelivery(
  { store, jobs }: ReplayDeps,
  scope: Scope,
  { orgId, id, author, request }: ReplayDelivery,
): Promise<DeliveryRow> {
  const row = await store.transaction(scope, async (tx) => {
    const reopened = await reopenDelivery(tx, orgId, id)
    if (reopened === undefined) {
      const waiting = await findDelivery(tx, orgId, id)
      if (waiting === undefined) throw notFound()
      return waiting
    }
    await enqueueDeliveries(jobs, tx, [reopened])
    recordAuditEvent(tx, {
      orgId,
      actor: author,
      request,
      action: 'webhook.replayed',
      target: { type: 'webhook_delivery', id, name: reopened.event },
    })
    return reopened
  })
  return row
}
