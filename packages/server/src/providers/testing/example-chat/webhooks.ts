import { z } from 'zod'
import { parseEd25519Hex } from '../../../crypto/verify-ed25519.ts'
import {
  callProvider,
  parseAnswer,
  readProviderJson,
  type ProviderCall,
} from '../../call-provider.ts'
import { readForeignJson } from '../../../egress/foreign-json.ts'
import type { ChatEvent } from '../../chat/chat.ts'
import { claimEd25519 } from '../../webhooks/webhook-claim.ts'
import type { WebhookScheme } from '../../webhooks/webhook-scheme.ts'

const notice = z.object({
  id: z.string(),
  workspace: z.string(),
  event: z.string(),
  /** The id of a channel, or the address at which the chat is called from now on. */
  about: z.string(),
})

const published = z.object({ keys: z.array(z.string()) })

/** Fetches the keys with which Example Chat signs at the moment. */
export async function fetchExampleKeys(
  call: ProviderCall,
  base: string,
): Promise<readonly string[]> {
  const answer = await callProvider(call, { url: `${base}/keys` })
  return parseAnswer(call.provider, published, readProviderJson(call.provider, answer)).keys
}

/** Describes the webhooks of Example Chat: `X-Example-Signature` is an Ed25519 signature of the body by a key that it publishes. */
export const exampleWebhooks: WebhookScheme = {
  keptHeaders: ['content-type'],
  readClaim(header) {
    const signature = parseEd25519Hex(header('x-example-signature') ?? '')
    return signature && claimEd25519({ signature, prefix: '' })
  },
  describe(_header, body) {
    const { data } = notice.safeParse(readForeignJson(body))
    if (data === undefined) return { type: 'malformed', detail: 'It is no notice.' }
    const { id: deliveryId, event, workspace: accountId } = data
    const subject = { deliveryId, event, action: null, accountId, repositoryId: null }
    return { type: 'webhook', subject, isJson: true }
  },
}

/** Reads what a webhook of Example Chat tells us. */
export function parseExampleEvent(_event: string, body: Buffer): ChatEvent {
  const { data } = notice.safeParse(readForeignJson(body))
  if (data?.event === 'moved') return { type: 'address', url: data.about }
  if (data?.event !== 'channel_closed') return { type: 'ignored', reason: 'It is none of ours.' }
  return { type: 'channel', change: 'archived', channelId: data.about, name: null }
}
