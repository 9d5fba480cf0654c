import { z } from 'zod/v4'
import { developerOrKey, open, org, viewerOrKey } from './access.ts'
import { declareEndpoints } from './endpoint.ts'
import { integrationKinds, providerName } from './integrations/shapes.ts'
import { id, page, pageQuery, time } from './shapes.ts'

/** Describes a webhook delivery, with the outcome of processing it. */
export const webhookDelivery = z
  .object({
    id: id('dlv'),
    provider: providerName,
    /** Holds the provider's name for people. */
    displayName: z.string(),
    deliveryId: z.string(),
    event: z.string(),
    action: z.string().nullable(),
    state: z.enum(['received', 'processing', 'done', 'ignored', 'failed', 'dead']),
    /** Explains why it had no effect, or failed. */
    reason: z.string().nullable(),
    /** Names its origin: sent by the provider, fetched from its log, or replayed by a person. */
    origin: z.enum(['push', 'pull', 'replay']),
    duplicates: z.number().int(),
    attempts: z.number().int(),
    receivedAt: time,
    processedAt: time.nullable(),
    /** Names the webhook before it that is not settled yet: those of a repository are processed in their order. */
    waitsFor: z.object({ id: id('dlv'), event: z.string(), attempts: z.number().int() }).nullable(),
  })
  .meta({ id: 'WebhookDelivery' })

const common = { tag: 'Integrations' } as const

/** Declares the endpoints of webhook deliveries. */
export const inboxEndpoints = declareEndpoints({ topics: ['webhook_delivery'] })({
  receiveWebhook: {
    ...common,
    method: 'POST',
    path: '/webhooks/{kind}',
    summary: 'Receive a signed webhook from a provider. The server stores it, then answers.',
    access: open,
    rateClass: 'none',
    bodyLimitBytes: 25 * 1024 * 1024,
    response: {
      status: 202,
      also: {
        status: 200,
        contentType: 'text/plain',
        when: 'Answer the provider’s check of the webhook URL.',
      },
    },
    problems: [
      'invalid_signature',
      'invalid_header',
      'invalid_json',
      'not_found',
      'body_too_large',
      'unsupported_encoding',
      'overloaded',
    ],
  },
  receiveConnectionWebhook: {
    ...common,
    method: 'POST',
    path: '/webhooks/{provider}/{connection}',
    summary:
      'Receive a webhook from a provider that signs with a secret of its own for each connection. The server stores it, then answers with the status that the provider wants.',
    access: open,
    rateClass: 'none',
    bodyLimitBytes: 25 * 1024 * 1024,
    response: {
      status: 202,
      also: {
        status: 200,
        contentType: 'text/plain',
        when: 'Answer a provider that wants this status.',
      },
    },
    problems: [
      'invalid_signature',
      'invalid_header',
      'invalid_json',
      'not_found',
      'body_too_large',
      'unsupported_encoding',
      'overloaded',
    ],
  },
  listWebhookDeliveries: {
    ...common,
    method: 'GET',
    path: `${org}/webhook-deliveries`,
    summary: 'The incoming webhooks and their outcomes, newest first.',
    access: viewerOrKey,
    query: z.strictObject({
      ...pageQuery,
      state: webhookDelivery.shape.state.optional(),
      event: z.string().max(100).optional(),
      kind: z.enum(integrationKinds).optional(),
    }),
    response: { status: 200, body: page(webhookDelivery) },
    problems: ['invalid_cursor'],
  },
  getWebhookDelivery: {
    ...common,
    method: 'GET',
    path: `${org}/webhook-deliveries/{delivery_id}`,
    summary: 'One incoming webhook, with its headers and body.',
    access: developerOrKey,
    response: {
      status: 200,
      body: webhookDelivery.extend({
        headers: z.record(z.string(), z.string()),
        payload: z.unknown(),
      }),
    },
  },
  replayWebhookDelivery: {
    ...common,
    method: 'POST',
    path: `${org}/webhook-deliveries/{delivery_id}/replay`,
    summary: 'Process a webhook again. It doesn’t repeat finished work.',
    access: developerOrKey,
    response: { status: 202, body: webhookDelivery },
  },
  replayWebhookDeliveries: {
    method: 'POST',
    path: `${org}/webhook-deliveries/replay`,
    tag: 'Integrations',
    summary: 'Process up to 500 webhooks again, oldest first.',
    access: developerOrKey,
    body: z.strictObject({
      /** Selects by state. `failed` includes those that failed permanently. */
      state: z.enum(['failed', 'ignored']),
      kind: z.enum(integrationKinds).optional(),
      event: z.string().max(100).optional(),
    }),
    response: {
      status: 202,
      body: z.object({ replayed: z.number().int(), hasMore: z.boolean() }),
    },
  },
})
