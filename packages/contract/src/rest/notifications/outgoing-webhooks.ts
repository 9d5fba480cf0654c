import { z } from 'zod/v4'
import { admin, org, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { author, credential, givenDisplayName, id, page, pageQuery, time } from '../shapes.ts'

/** Lists the events that outgoing webhooks announce. */
export const outgoingEvents = [
  'config.changed',
  'flag.changed',
  'deployment.finished',
  'deployment.waiting',
  'deployment.passed',
  'deployment.refused',
  'preview.created',
  'preview.ended',
  'tests.finished',
  'integration.attention',
  'secret.due',
  'change.requested',
  'change.approved',
  'change.declined',
  'change.applied',
  'change.overridden',
  'change.failed',
  'change.proven',
  'change.restored',
  'change.inconclusive',
  'change.proof_failed',
] as const
export type OutgoingEvent = (typeof outgoingEvents)[number]

/** Lists the forms of a message: that of Standard Webhooks, and an annotation of Grafana. */
export const outgoingFormats = ['generic', 'grafana'] as const
export type OutgoingFormat = (typeof outgoingFormats)[number]

/** Describes an address that Signalbox sends events to, without its secret. */
export const outgoingWebhook = z
  .object({
    id: id('whk'),
    name: z.string(),
    /** Holds the whole address for admins, and scheme and host with `/…` for others: a path often holds a credential. */
    url: z.string(),
    events: z.array(z.enum(outgoingEvents)),
    format: z.enum(outgoingFormats),
    enabled: z.boolean(),
    /** Says whether each request has an `Authorization` header. Its value is never shown. */
    hasAuthorization: z.boolean(),
    /** Holds the time until which messages are signed with the previous secret too. */
    overlapEndsAt: time.nullable(),
    health: z.object({
      state: z.enum(['ok', 'failing', 'gone']),
      /** Names what the last failed message met: a status such as `http_500`, or `timeout`. `null`: nothing is wrong. */
      reason: z.string().nullable(),
      failingSince: time.nullable(),
      lastSentAt: time.nullable(),
    }),
    createdAt: time,
    /** Names who created it. `null`: not known. */
    createdBy: author.nullable(),
    /** Says what they were signed in with. `null`: an API key, or the service itself. */
    createdWith: credential.nullable(),
  })
  .meta({ id: 'OutgoingWebhook' })

/** Describes an outgoing webhook with the secret that signs its messages, which is shown once. */
export const outgoingWebhookWithSecret = outgoingWebhook
  .extend({ secret: z.string() })
  .meta({ id: 'OutgoingWebhookWithSecret' })

/** Describes one event on its way to one address. */
export const outgoingMessage = z
  .object({
    /** Holds the `webhook-id` of every attempt. */
    id: id('msg'),
    type: z.enum([...outgoingEvents, 'webhook.test']),
    /** `waiting`: its next attempt is at `nextAttemptAt`. `failed`: it is not tried again by itself. */
    state: z.enum(['waiting', 'sent', 'failed']),
    attempts: z.number().int(),
    /** Holds the status of the last answer; `null` where there was none. */
    status: z.number().int().nullable(),
    reason: z.string().nullable(),
    nextAttemptAt: time.nullable(),
    sentAt: time.nullable(),
    createdAt: time,
  })
  .meta({ id: 'OutgoingMessage' })

const url = z
  .string()
  .max(2000)
  .regex(
    /^https?:\/\/[^\s/?#@\\]+(?:[/?][^\s#]*)?$/,
    'Use an address such as https://hooks.example.com/signalbox, without a user name and fragment.',
  )

const fields = {
  name: givenDisplayName,
  url,
  events: z.array(z.enum(outgoingEvents)).min(1).max(outgoingEvents.length),
  format: z.enum(outgoingFormats).default('generic'),
  enabled: z.boolean().default(true),
  /** Holds the whole `Authorization` header that the address needs besides, such as `Bearer …`. `null`: none. */
  authorization: z
    .string()
    .max(4000)
    .regex(/^[\x20-\x7E]+$/, 'Use printable ASCII characters.')
    .nullish(),
}

const webhooks = `${org}/outgoing-webhooks` as const
const one = `${webhooks}/{webhook_id}` as const

export const outgoingWebhookEndpoints = declareEndpoints({
  tag: 'Outgoing webhooks',
  topics: ['outgoing_webhook'],
})({
  createOutgoingWebhook: {
    method: 'POST',
    path: webhooks,
    summary: 'Create an outgoing webhook. The response shows its secret once.',
    description:
      'Messages follow Standard Webhooks: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, and a body of `type`, `timestamp` and `data`. They name keys and versions, and never hold a value.',
    access: admin,
    opens: 'door',
    body: z.strictObject(fields),
    response: { status: 201, body: outgoingWebhookWithSecret },
    problems: ['already_exists', 'quota_exceeded'],
  },
  listOutgoingWebhooks: {
    method: 'GET',
    path: webhooks,
    summary: 'The outgoing webhooks and their health, without their secrets.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(outgoingWebhook) },
    problems: ['invalid_cursor'],
  },
  getOutgoingWebhook: {
    method: 'GET',
    path: one,
    summary: 'One outgoing webhook and its health, without its secret.',
    access: viewer,
    response: { status: 200, body: outgoingWebhook },
  },
  updateOutgoingWebhook: {
    method: 'PATCH',
    path: one,
    summary: 'Change an outgoing webhook, or switch it off or on.',
    description:
      'An address on another server needs `authorization` again, or `null`, where there is one.',
    access: admin,
    opens: 'door',
    takesResponse: true,
    body: z
      .strictObject({
        ...fields,
        format: z.enum(outgoingFormats),
        enabled: z.boolean(),
      })
      .partial(),
    response: { status: 200, body: outgoingWebhook },
    problems: ['already_exists'],
  },
  rotateOutgoingWebhook: {
    method: 'POST',
    path: `${one}/rotate`,
    summary:
      'Give an outgoing webhook a new secret. Until the end of the overlap, both sign each message.',
    access: admin,
    opens: 'door',
    body: z.strictObject({
      overlapSeconds: z
        .number()
        .int()
        .min(0)
        .max(30 * 24 * 3600)
        .default(24 * 3600),
    }),
    response: { status: 200, body: outgoingWebhookWithSecret },
  },
  pauseOutgoingWebhook: {
    method: 'POST',
    path: `${one}/pause`,
    summary: 'Switch an outgoing webhook off. Changing it with `enabled: true` switches it on.',
    access: admin,
    response: { status: 200, body: outgoingWebhook },
  },
  deleteOutgoingWebhook: {
    method: 'DELETE',
    path: one,
    summary: 'Delete an outgoing webhook with its messages.',
    access: admin,
    response: { status: 204 },
  },
  testOutgoingWebhook: {
    method: 'POST',
    path: `${one}/test`,
    summary: 'Send a message of the type `webhook.test`, also to a webhook that is switched off.',
    access: admin,
    response: { status: 202, body: outgoingMessage },
  },
  listOutgoingMessages: {
    method: 'GET',
    path: `${one}/messages`,
    summary: 'The messages of an outgoing webhook, newest first. They are kept for 30 days.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(outgoingMessage) },
    problems: ['invalid_cursor'],
  },
  replayOutgoingMessage: {
    method: 'POST',
    path: `${one}/messages/{message_id}/replay`,
    summary: 'Send a message again, with the same `webhook-id` and body.',
    access: admin,
    response: { status: 202, body: outgoingMessage },
    problems: ['conflict'],
  },
})
