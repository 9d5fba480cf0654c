import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseMacHex } from '../../crypto/verify-mac.ts'
import { readForeignJson } from '../../egress/foreign-json.ts'
import { claimMac, type ReadHeader } from '../webhooks/webhook-claim.ts'
import { toSubjectText, type WebhookScheme } from '../webhooks/webhook-scheme.ts'

const eventName = /^[a-z][a-z_]{0,99}$/
const deliveryId = /^[\w.-]{1,100}$/
const digits = /^\d{1,20}$/
const actionName = /^[a-z_]{1,50}$/

const named = z.object({ id: z.unknown().optional() }).optional().catch(undefined)
const envelope = z.object({
  action: z.unknown().optional(),
  repository: named,
  run: z.object({ repository: named }).optional().catch(undefined),
})

/** Reads a header that Forgejo and Gitea send under their own names, Forgejo under both. Never another product's, which they imitate. */
function readOwn(header: ReadHeader, name: string): string | undefined {
  return header(`x-forgejo-${name}`) ?? header(`x-gitea-${name}`)
}

/**
 * Describes webhooks of Forgejo and Gitea: the HMAC-SHA256 of the raw body, as hexadecimal digits without a prefix.
 *
 * @see https://forgejo.org/docs/latest/user/webhooks/
 */
export const forgejoWebhooks: WebhookScheme = {
  keptHeaders: [
    'content-type',
    'user-agent',
    'x-forgejo-delivery',
    'x-forgejo-event',
    'x-forgejo-event-type',
    'x-gitea-delivery',
    'x-gitea-event',
    'x-gitea-event-type',
  ],
  readClaim(header) {
    const mac = parseMacHex(readOwn(header, 'signature') ?? '')
    return mac && claimMac({ mac, prefix: '' })
  },
  describe(header, body) {
    const payload = readForeignJson(body)
    const { data } = envelope.safeParse(payload)
    const subject = {
      deliveryId:
        toSubjectText(readOwn(header, 'delivery'), deliveryId) ??
        createHash('sha256').update(body).digest('hex'),
      event: toSubjectText(readOwn(header, 'event'), eventName) ?? 'unknown',
      action: toSubjectText(data?.action, actionName),
      accountId: null,
      repositoryId: toSubjectText((data?.run?.repository ?? data?.repository)?.id, digits),
    }
    return { type: 'webhook', subject, isJson: payload !== undefined }
  },
}
