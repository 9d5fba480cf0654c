import { outgoingWebhookEndpoints as endpoints, type ResponseOf } from '@signalbox/contract/rest'
import { z } from 'zod'
import { presentAuthor, presentCredential } from '../../audit/author.ts'
import { toCaller } from '../../audit/caller.ts'
import { cutUrl } from '../../egress/cut-url.ts'
import { hasRole } from '../../http/admission/access.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Router } from '../../http/router.ts'
import { pageMessageRows } from './message-rows.ts'
import {
  createWebhook,
  deleteWebhook,
  replayMessage,
  rotateWebhook,
  testWebhook,
  updateWebhook,
  type WebhookDeps,
} from './save-webhook.ts'
import { goneReason, type OutgoingMessage, type OutgoingWebhook } from './webhook.ts'
import { findWebhookRow, pageWebhookRows } from './webhook-rows.ts'

/** Mounts `/organizations/{org_id}/outgoing-webhooks`. */
export function mountOutgoingWebhooks(router: Router, deps: WebhookDeps): void {
  const { store, now } = deps
  const present = (webhook: OutgoingWebhook, reader: Reader) =>
    presentWebhook(webhook, reader, now())
  router
    .add(endpoints.createOutgoingWebhook, {
      handle: (request) => createWebhook(deps, toCaller(request), request.body),
      present: (webhook, reader) => ({ ...present(webhook, reader), secret: webhook.secret }),
      presentReplay: present,
    })
    .addPage(endpoints.listOutgoingWebhooks, {
      position: z.string(),
      list: ({ organization, scope }, { after = '', limit }) =>
        store.transaction(scope, (tx) =>
          pageWebhookRows(tx, organization.id, { after, limit: limit + 1 }),
        ),
      positionOf: ({ id }) => id,
      present,
    })
    .add(endpoints.getOutgoingWebhook, {
      async handle({ organization, scope, params }) {
        const webhook = await store.transaction(scope, (tx) =>
          findWebhookRow(tx, organization.id, params.webhook_id),
        )
        if (webhook === undefined) throw notFound()
        return webhook
      },
      present,
    })
    .add(endpoints.updateOutgoingWebhook, {
      handle: ({ params, body, readOnly, ...request }) =>
        updateWebhook(deps, toCaller(request), params.webhook_id, { ...body, readOnly }),
      present,
    })
    .add(endpoints.rotateOutgoingWebhook, {
      handle: ({ params, body, ...request }) =>
        rotateWebhook(deps, toCaller(request), { id: params.webhook_id, ...body }),
      present: (webhook, reader) => ({ ...present(webhook, reader), secret: webhook.secret }),
      presentReplay: present,
    })
    .add(endpoints.pauseOutgoingWebhook, {
      handle: ({ params, ...request }) =>
        updateWebhook(deps, toCaller(request), params.webhook_id, { enabled: false, readOnly: {} }),
      present,
    })
    .add(endpoints.deleteOutgoingWebhook, {
      handle: (request) => deleteWebhook(deps, toCaller(request), request.params.webhook_id),
    })
  mountMessages(router, deps)
}

function mountMessages(router: Router, deps: WebhookDeps): void {
  router
    .add(endpoints.testOutgoingWebhook, {
      handle: (request) => testWebhook(deps, toCaller(request), request.params.webhook_id),
      present: presentMessage,
    })
    .addPage(endpoints.listOutgoingMessages, {
      position: z.string(),
      list: ({ organization, scope, params }, { after, limit }) =>
        deps.store.transaction(scope, async (tx) => {
          const webhook = await findWebhookRow(tx, organization.id, params.webhook_id)
          if (webhook === undefined) throw notFound()
          const page = { webhookId: webhook.id, beforeId: after, limit: limit + 1 }
          return pageMessageRows(tx, organization.id, page)
        }),
      positionOf: ({ id }) => id,
      present: presentMessage,
    })
    .add(endpoints.replayOutgoingMessage, {
      handle: (request) =>
        replayMessage(deps, toCaller(request), {
          webhookId: request.params.webhook_id,
          id: request.params.message_id,
        }),
      present: presentMessage,
    })
}

/** Holds who reads an answer. */
type Reader = Parameters<typeof hasRole>[0]

function presentWebhook(
  webhook: OutgoingWebhook,
  reader: Reader,
  now: Date,
): ResponseOf<typeof endpoints.updateOutgoingWebhook> {
  const { id, name, url, events, format, enabled, hasAuthorization, healthReason: reason } = webhook
  const overlap = webhook.overlapEndsAt
  return {
    id,
    name,
    url: hasRole(reader, 'admin') ? url : cutUrl(url),
    events: [...events],
    format,
    enabled,
    hasAuthorization,
    overlapEndsAt: overlap !== null && overlap > now ? overlap.toISOString() : null,
    health: {
      state: reason === null ? 'ok' : reason === goneReason ? 'gone' : 'failing',
      reason,
      failingSince: toText(webhook.failingSince),
      lastSentAt: toText(webhook.lastSentAt),
    },
    createdAt: webhook.createdAt.toISOString(),
    createdBy: presentAuthor(webhook.createdBy),
    createdWith: presentCredential(webhook.createdBy),
  }
}

function presentMessage(
  message: OutgoingMessage,
): ResponseOf<typeof endpoints.testOutgoingWebhook> {
  return {
    ...message,
    nextAttemptAt: toText(message.nextAttemptAt),
    sentAt: toText(message.sentAt),
    createdAt: message.createdAt.toISOString(),
  }
}

function toText(moment: Date | null): string | null {
  return moment?.toISOString() ?? null
}
