import { z } from 'zod'
import type { ChatLookup, ChatReference } from '../chat/chat.ts'
import { ProviderError } from '../provider-error.ts'
import { callSlack, type SlackCall } from './api-call.ts'

/** Lists the scopes with which a message can be looked for: in public channels, and in private ones. */
export const historyScopes = ['channels:history', 'groups:history'] as const

/** Marks our messages in their metadata, beside the key. */
export const messageEvent = 'signalbox_notification'

const ourselves = z.object({ user_id: z.string() })
const messages = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      user: z.string().optional().catch(undefined),
      metadata: z
        .object({ event_type: z.string(), event_payload: z.object({ key: z.string() }) })
        .optional()
        .catch(undefined),
    }),
  ),
  has_more: z.boolean().default(false),
  response_metadata: z.object({ next_cursor: z.string().default('') }).nullish(),
})

const pageSize = 200
const pagesMax = 20
/** Clocks differ: a message may seem to be older than the moment at which it was sent. */
const clockToleranceMs = 60_000

/**
 * Finds a message of the bot by the key in its metadata; `undefined`: it is not there. A channel shows the messages in its threads only
 * where they are asked for by the thread. The bot has to be in the channel.
 *
 * @throws {ProviderError} `forbidden` where the bot is not in the channel or lacks the scope, `unavailable` when more was written meanwhile than is read
 * @see https://docs.slack.dev/reference/methods/conversations.history
 * @see https://docs.slack.dev/reference/methods/conversations.replies
 */
export async function findMessage(
  call: SlackCall,
  { channelId, key, since, thread }: ChatLookup,
): Promise<ChatReference | undefined> {
  const { user_id: userId } = await callSlack(call, { method: 'auth.test', answer: ourselves })
  const query = {
    channel: channelId,
    oldest: String((since.getTime() - clockToleranceMs) / 1000),
    limit: String(pageSize),
    include_all_metadata: 'true',
    ...(thread && { ts: thread.messageId }),
  }
  const method = thread === undefined ? 'conversations.history' : 'conversations.replies'
  let cursor = ''
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await callSlack(call, {
      method,
      query: { ...query, ...(cursor !== '' && { cursor }) },
      answer: messages,
    })
    const own = answer.messages.find(
      ({ user, metadata }) =>
        user === userId &&
        metadata?.event_type === messageEvent &&
        metadata.event_payload.key === key,
    )
    if (own !== undefined) return { channelId, messageId: own.ts }
    // A page may hold less than was asked for and not be the last one.
    if (!answer.has_more) return undefined
    cursor = answer.response_metadata?.next_cursor ?? ''
    if (cursor === '') break
  }
  throw new ProviderError({ provider: 'slack', failure: 'unavailable', code: 'too_much_written' })
}
