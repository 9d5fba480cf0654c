import { readForeignJson } from '../../egress/foreign-json.ts'
import { cutText } from '@signalbox/contract'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseMacHex } from '../../crypto/verify-mac.ts'
import { claimMac } from '../webhooks/webhook-claim.ts'
import { toSubjectText, type WebhookScheme } from '../webhooks/webhook-scheme.ts'

const prefix = 'v0='
const windowSeconds = 300
const seconds = /^\d{1,12}$/
const eventName = /^[\w.-]{1,100}$/
const slackId = /^[A-Za-z0-9]{1,64}$/

const envelope = z.object({
  type: z.unknown().optional(),
  challenge: z.unknown().optional(),
  event_id: z.unknown().optional(),
  team_id: z.unknown().optional(),
  event: z.object({ type: z.unknown().optional() }).optional().catch(undefined),
})

/**
 * Describes Slack's webhooks: `X-Slack-Signature: v0=<hex>` is the HMAC-SHA256 of `v0:<timestamp>:<raw body>`. A timestamp more than
 * five minutes away in either direction is refused, so that a request that was overheard cannot be sent again later.
 *
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export const slackWebhooks: WebhookScheme = {
  keptHeaders: [
    'content-type',
    'user-agent',
    'x-slack-request-timestamp',
    'x-slack-retry-num',
    'x-slack-retry-reason',
  ],
  readClaim(header, now) {
    const claimed = header('x-slack-signature')
    const sentAt = header('x-slack-request-timestamp') ?? ''
    if (claimed?.startsWith(prefix) !== true || !seconds.test(sentAt)) return undefined
    if (Math.abs(now.getTime() / 1000 - Number(sentAt)) > windowSeconds) return undefined
    const mac = parseMacHex(claimed.slice(prefix.length))
    return mac && claimMac({ mac, prefix: `v0:${sentAt}:` })
  },
  describe(_header, body) {
    const payload = readForeignJson(body)
    const { data } = envelope.safeParse(payload)
    if (data?.type === 'url_verification' && typeof data.challenge === 'string') {
      return { type: 'challenge', answer: cutText(data.challenge, 1000) }
    }
    const type = toSubjectText(data?.event?.type, eventName)
    const subject = {
      // Notices that are no events have no id, and the same text is the same notice.
      deliveryId:
        toSubjectText(data?.event_id, slackId) ?? createHash('sha256').update(body).digest('hex'),
      event: type ?? toSubjectText(data?.type, eventName) ?? 'unknown',
      action: null,
      accountId: toSubjectText(data?.team_id, slackId),
      repositoryId: null,
    }
    return { type: 'webhook', subject, isJson: payload !== undefined }
  },
}
