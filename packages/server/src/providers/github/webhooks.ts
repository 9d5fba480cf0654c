import { z } from 'zod'
import { parseMacHex } from '../../crypto/verify-mac.ts'
import { claimMac } from '../webhooks/webhook-claim.ts'
import {
  toSubjectText,
  type WebhookScheme,
  type WebhookSubject,
} from '../webhooks/webhook-scheme.ts'
import { readWebhookBody } from './webhook-body.ts'

const eventName = /^[a-z][a-z0-9_]{0,99}$/
const deliveryGuid = /^[A-Za-z0-9-]{1,100}$/
const actionName = /^[\w.-]{1,100}$/
const digits = /^\d{1,20}$/
const prefix = 'sha256='

const named = z.object({ id: z.unknown().optional() }).optional().catch(undefined)
const envelope = z.object({
  action: z.unknown().optional(),
  installation: named,
  repository: named,
})

function readAbout(
  payload: unknown,
): Pick<WebhookSubject, 'action' | 'accountId' | 'repositoryId'> {
  const { data } = envelope.safeParse(payload)
  return {
    action: toSubjectText(data?.action, actionName),
    accountId: toSubjectText(data?.installation?.id, digits),
    repositoryId: toSubjectText(data?.repository?.id, digits),
  }
}

/**
 * Describes GitHub's webhooks: `X-Hub-Signature-256: sha256=<hex>` is the HMAC-SHA256 of the raw body. The older SHA-1 header is not
 * looked at. A signature does not cover the headers, so neither the event nor the id of the delivery is proven by it.
 *
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export const githubWebhooks: WebhookScheme = {
  keptHeaders: [
    'content-type',
    'user-agent',
    'x-github-event',
    'x-github-delivery',
    'x-github-hook-id',
    'x-github-hook-installation-target-id',
    'x-github-hook-installation-target-type',
  ],
  readClaim(header) {
    const claimed = header('x-hub-signature-256')
    if (claimed?.startsWith(prefix) !== true) return undefined
    const mac = parseMacHex(claimed.slice(prefix.length))
    return mac && claimMac({ mac, prefix: '' })
  },
  describe(header, body) {
    const event = header('x-github-event') ?? ''
    const deliveryId = header('x-github-delivery') ?? ''
    if (!eventName.test(event) || !deliveryGuid.test(deliveryId)) {
      const detail = 'Send exactly one X-GitHub-Event and one X-GitHub-Delivery header.'
      return { type: 'malformed', detail }
    }
    const payload = readWebhookBody(body)
    const subject = { deliveryId, event, ...readAbout(payload) }
    return { type: 'webhook', subject, isJson: payload !== undefined }
  },
}
