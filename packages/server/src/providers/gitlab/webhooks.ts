import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  claimToken,
  readStandardClaim,
  standardSecretPrefix,
  type WebhookClaim,
} from '../webhooks/webhook-claim.ts'
import { toSubjectText, type WebhookScheme } from '../webhooks/webhook-scheme.ts'
import { readForeignJson } from '../../egress/foreign-json.ts'

const eventName = /^[A-Za-z][A-Za-z ]{0,99}$/
const messageId = /^[\w.-]{1,100}$/
const digits = /^\d{1,20}$/

const envelope = z.object({
  object_attributes: z.object({ status: z.unknown().optional() }).optional().catch(undefined),
  status: z.unknown().optional(),
  project: z.object({ id: z.unknown().optional() }).optional().catch(undefined),
})
const statusName = /^[a-z_]{1,50}$/

/** A signing token is a key: whoever shows it as a token proves nothing. */
function claimPlainToken(token: string): WebhookClaim {
  const claim = claimToken(token)
  return {
    isVerifiedBy: (secrets, body) =>
      claim.isVerifiedBy(
        secrets.filter((secret) => !secret.startsWith(standardSecretPrefix)),
        body,
      ),
  }
}

/**
 * Describes GitLab's webhooks. With a signing token they carry a signature of Standard Webhooks, and then it alone counts; else
 * `X-Gitlab-Token` is the secret itself. `Idempotency-Key` is the same on retries; versions before 17.4 have no id of a delivery, so
 * that equal bodies are one.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhooks/
 */
export const gitlabWebhooks: WebhookScheme = {
  keptHeaders: [
    'content-type',
    'user-agent',
    'idempotency-key',
    'x-gitlab-event',
    'x-gitlab-instance',
    'x-gitlab-webhook-uuid',
    'x-gitlab-event-uuid',
  ],
  // GitLab switches a webhook off for good after a few answers of 4xx: what is authentic is taken, whatever it says.
  storedStatus: 200,
  readClaim(header, now) {
    if (header('webhook-signature') !== undefined) return readStandardClaim(header, now)
    const token = header('x-gitlab-token')
    return token === undefined || token === '' ? undefined : claimPlainToken(token)
  },
  describe(header, body) {
    const payload = readForeignJson(body)
    const { data } = envelope.safeParse(payload)
    const subject = {
      deliveryId:
        toSubjectText(header('idempotency-key'), messageId) ??
        createHash('sha256').update(body).digest('hex'),
      event: toSubjectText(header('x-gitlab-event'), eventName) ?? 'unknown',
      action: toSubjectText(data?.object_attributes?.status ?? data?.status, statusName),
      accountId: null,
      repositoryId: toSubjectText(data?.project?.id, digits),
    }
    return { type: 'webhook', subject, isJson: payload !== undefined }
  },
}
