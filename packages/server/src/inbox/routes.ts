import { inboxEndpoints as endpoints, type IntegrationKind } from '@signalbox/contract/rest'
import { z } from 'zod'
import { toCaller } from '../audit/caller.ts'
import type { RawAnswer } from '../http/input/endpoint-request.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Router } from '../http/router.ts'
import { acceptWebhook, type Accepted, type AcceptDeps } from './accept-webhook.ts'
import {
  displayNameOf,
  findConnectionSender,
  findWebhookProvider,
  providersOfKind,
} from '../providers/find-provider.ts'
import type { ShownDelivery } from './delivery.ts'
import type { DeliveryRow } from './delivery-rows.ts'
import { getDelivery } from './get-delivery.ts'
import { listDeliveries } from './list-deliveries.ts'
import { replayDeliveries } from './replay-deliveries.ts'
import { replayDelivery, type ReplayDeps } from './replay-delivery.ts'

/** Returns the names of the providers of a kind, as rows have them. */
function namesOfKind(kind: IntegrationKind | undefined): readonly string[] | undefined {
  return kind && providersOfKind(kind).map(({ name }) => name)
}

function presentDelivery(row: DeliveryRow): ShownDelivery {
  const { id, provider, deliveryId, event, action, state, reason, origin, waitsFor } = row
  return {
    id,
    provider,
    displayName: displayNameOf(provider),
    deliveryId,
    event,
    action,
    state,
    reason,
    origin,
    duplicates: row.duplicates,
    attempts: row.attempts,
    receivedAt: row.receivedAt.toISOString(),
    processedAt: row.processedAt?.toISOString() ?? null,
    waitsFor,
  }
}

function answer({ status, answer: text }: Accepted): RawAnswer {
  const headers = text === '' ? {} : { 'Content-Type': 'text/plain' }
  return { status, headers, body: text }
}

/**
 * Mounts the endpoint that providers send to, and those that show and replay webhooks. A webhook is about the whole organization,
 * so a restricted key is refused.
 */
export function mountInbox(router: Router, deps: AcceptDeps & ReplayDeps): void {
  router
    .addRaw(endpoints.receiveWebhook, async ({ params, header, readBytes }) => {
      const provider = findWebhookProvider(params.kind)
      if (provider === undefined) throw notFound()
      return answer(await acceptWebhook(deps, { provider, header, readBytes }))
    })
    .addRaw(endpoints.receiveConnectionWebhook, async ({ params, header, readBytes }) => {
      const provider = findConnectionSender(params.provider)
      if (provider === undefined) throw notFound()
      const { connection } = params
      return answer(await acceptWebhook(deps, { provider, connection, header, readBytes }))
    })
    .addPage(endpoints.listWebhookDeliveries, {
      position: z.object({ id: z.string(), receivedAt: z.coerce.date() }),
      list(request, page) {
        const { state, event, kind } = request.query
        const { orgId, scope } = toCaller(request)
        const filter = { orgId, state, event, providers: namesOfKind(kind) }
        return listDeliveries(deps, scope, { ...filter, ...page })
      },
      positionOf: ({ id, receivedAt }) => ({ id, receivedAt }),
      present: presentDelivery,
    })
    .add(endpoints.getWebhookDelivery, {
      async handle(request) {
        const { orgId, scope } = toCaller(request)
        return getDelivery(deps, scope, { orgId, id: request.params.delivery_id })
      },
      present: (delivery) => ({
        ...presentDelivery(delivery),
        headers: { ...delivery.headers },
        payload: delivery.payload,
      }),
    })
  mountReplays(router, deps)
}

function mountReplays(router: Router, deps: ReplayDeps): void {
  router
    .add(endpoints.replayWebhookDeliveries, {
      async handle(request) {
        const { state, event, kind } = request.body
        const { scope, ...caller } = toCaller(request)
        return replayDeliveries(deps, scope, {
          ...caller,
          state,
          event,
          providers: namesOfKind(kind),
        })
      },
      present: (replayed) => replayed,
    })
    .add(endpoints.replayWebhookDelivery, {
      async handle(request) {
        const { scope, ...caller } = toCaller(request)
        return replayDelivery(deps, scope, { ...caller, id: request.params.delivery_id })
      },
      present: presentDelivery,
    })
}
