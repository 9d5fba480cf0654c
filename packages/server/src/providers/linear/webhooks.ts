import { createHash } from 'node:crypto'
import { parseMacHex } from '../../crypto/verify-mac.ts'
import { claimMac } from '../webhooks/webhook-claim.ts'
import { toSubjectText, type WebhookScheme } from '../webhooks/webhook-scheme.ts'
import { readLinearBody } from './webhook-events.ts'

/**
 * Linear tries again after a minute, an hour and six hours, and does not say that it signs anew. What comes twice within the time
 * is one by its id.
 */
const oldestMs = 7 * 3600 * 1000
/** The clocks of two servers differ. */
const aheadMs = 5 * 60_000
const eventName = /^[\w.-]{1,100}$/
const linearId = /^[A-Za-z0-9-]{1,64}$/

/**
 * Describes Linear's webhooks: `Linear-Signature` is the HMAC-SHA256 of the raw body in hex. The time is in the body, since the
 * header that shows it as well is not signed.
 *
 * @see https://linear.app/developers/webhooks
 */
export const linearWebhooks: WebhookScheme = {
  keptHeaders: ['content-type', 'user-agent', 'linear-event', 'linear-delivery'],
  readClaim(header, now) {
    const mac = parseMacHex(header('linear-signature') ?? '')
    if (mac === undefined) return undefined
    const claim = claimMac({ mac, prefix: '' })
    return {
      isVerifiedBy: (secrets, body) => claim.isVerifiedBy(secrets, body) && isRecent(body, now),
    }
  },
  describe(header, body) {
    const { payload, fields } = readLinearBody(body)
    const subject = {
      deliveryId:
        toSubjectText(header('linear-delivery'), linearId) ??
        createHash('sha256').update(body).digest('hex'),
      event: toSubjectText(fields.type, eventName) ?? 'unknown',
      action: toSubjectText(fields.action, eventName),
      accountId: toSubjectText(fields.organizationId, linearId),
      repositoryId: null,
    }
    return { type: 'webhook', subject, isJson: payload !== undefined }
  },
  // Linear takes no other status for an answer.
  storedStatus: 200,
}

/** A body without a time proves nothing: it could be sent again for ever. One that is no JSON has none, and is kept to be seen. */
function isRecent(body: Buffer, now: Date): boolean {
  const { payload, fields } = readLinearBody(body)
  if (payload === undefined) return true
  const sentMs = fields.webhookTimestamp
  if (typeof sentMs !== 'number') return false
  const ageMs = now.getTime() - sentMs
  return ageMs <= oldestMs && ageMs >= -aheadMs
}
