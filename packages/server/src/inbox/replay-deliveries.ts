import { recordAuditEvent } from '../audit/record-event.ts'
import type { Scope } from '../store/scope.ts'
import { hasDeliveries, reopenDeliveries } from './delivery-rows.ts'
import type { DeliveryState } from './delivery.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'
import type { ReplayDelivery, ReplayDeps } from './replay-delivery.ts'

/** Describes which webhooks are replayed together, and by whom. */
export interface ReplayDeliveries extends Omit<ReplayDelivery, 'id'> {
  readonly state: 'failed' | 'ignored'
  readonly event: string | undefined
  /** Left out: those of every provider. */
  readonly providers: readonly string[] | undefined
}

/** Describes how many webhooks were replayed. */
export interface Replayed {
  readonly replayed: number
  /** True when the next call would replay more. */
  readonly hasMore: boolean
}

const replayedMax = 500

const statesOf: Readonly<Record<ReplayDeliveries['state'], readonly DeliveryState[]>> = {
  failed: ['failed', 'dead'],
  ignored: ['ignored'],
}

/** Replays the oldest 500 webhooks of a state, in the order in which they came, with one audit event for all. */
export async function replayDeliveries(
  { store, jobs }: ReplayDeps,
  scope: Scope,
  { orgId, state, event, providers, author, request }: ReplayDeliveries,
): Promise<Replayed> {
  const filter = { orgId, states: statesOf[state], event, providers }
  return store.transaction(scope, async (tx) => {
    const rows = await reopenDeliveries(tx, filter, replayedMax)
    if (rows.length === 0) return { replayed: 0, hasMore: false }
    await enqueueDeliveries(jobs, tx, rows)
    recordAuditEvent(tx, {
      orgId,
      actor: author,
      request,
      action: 'webhook.replayed',
      target: { type: 'webhook_delivery', id: null, name: event ?? null },
      detail: { state, count: rows.length },
    })
    const hasMore = rows.length === replayedMax && (await hasDeliveries(tx, filter))
    return { replayed: rows.length, hasMore }
  })
}
