import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readForeignJson } from '../../egress/foreign-json.ts'
import { claimEd25519 } from '../webhooks/webhook-claim.ts'
import { toSubjectText, type WebhookScheme } from '../webhooks/webhook-scheme.ts'

const windowSeconds = 900
const seconds = /^\d{1,12}$/
const signatureHex = /^[0-9a-f]{128}$/i
const eventName = /^[\w.-]{1,100}$/
const snowflake = /^\d{1,20}$/

const envelope = z.object({
  type: z.unknown().optional(),
  event: z
    .object({
      type: z.unknown().optional(),
      data: z
        .object({ guild: z.object({ id: z.unknown() }).optional().catch(undefined) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})

const ping = 0

/**
 * Describes Discord's webhook events: `X-Signature-Ed25519` signs `X-Signature-Timestamp` and the raw body with the key of the
 * application. Discord repeats an event for ten minutes, so an older timestamp is refused after fifteen. It wants 204, and 401 for the
 * wrong signatures that it sends on purpose; else it removes the address.
 *
 * @see https://docs.discord.com/developers/events/webhook-events
 */
export const discordWebhooks: WebhookScheme = {
  keptHeaders: ['content-type', 'user-agent', 'x-signature-timestamp'],
  storedStatus: 204,
  readClaim(header, now) {
    const hex = header('x-signature-ed25519') ?? ''
    const sentAt = header('x-signature-timestamp') ?? ''
    if (!signatureHex.test(hex) || !seconds.test(sentAt)) return undefined
    if (Math.abs(now.getTime() / 1000 - Number(sentAt)) > windowSeconds) return undefined
    return claimEd25519({ signature: Buffer.from(hex, 'hex'), prefix: sentAt })
  },
  describe(_header, body) {
    const payload = readForeignJson(body)
    const { data } = envelope.safeParse(payload)
    if (data?.type === ping) return { type: 'challenge', answer: '' }
    const subject = {
      // An event has no id, and a repetition is the same text.
      deliveryId: createHash('sha256').update(body).digest('hex'),
      event: toSubjectText(data?.event?.type, eventName) ?? 'unknown',
      action: null,
      accountId: toSubjectText(data?.event?.data?.guild?.id, snowflake),
      repositoryId: null,
    }
    return { type: 'webhook', subject, isJson: payload !== undefined }
  },
}
