import { z } from 'zod'
import { parseMacHex } from '../../../crypto/verify-mac.ts'
import type { ChatEvent } from '../../chat/chat.ts'
import { claimMac } from '../../webhooks/webhook-claim.ts'
import type { WebhookScheme } from '../../webhooks/webhook-scheme.ts'

const notice = z.object({
  id: z.string(),
  workspace: z.string(),
  event: z.string(),
  channel: z.string(),
})

/** Describes the webhooks of Example Chat: `X-Example-Mac` is the HMAC-SHA256 of the body, in hex. */
export const exampleWebhooks: WebhookScheme = {
  keptHeaders: ['content-type'],
  readClaim(header) {
    const mac = parseMacHex(header('x-example-mac') ?? '')
    return mac && claimMac({ mac, prefix: '' })
  },
  describe(_header, body) {
    const { data } = notice.safeParse(readJson(body))
    if (data === undefined) return { type: 'malformed', detail: 'It is no notice.' }
    const { id: deliveryId, event, workspace: accountId } = data
    const subject = { deliveryId, event, action: null, accountId, repositoryId: null }
    return { type: 'webhook', subject, isJson: true }
  },
}

/** Reads what a webhook of Example Chat tells us. */
export function parseExampleEvent(_event: string, body: Buffer): ChatEvent {
  const { data } = notice.safeParse(readJson(body))
  if (data?.event !== 'channel_closed') return { type: 'ignored', reason: 'It is none of ours.' }
  return { type: 'channel', change: 'archived', channelId: data.channel, name: null }
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
