import type { Caller } from '../../audit/caller.ts'
import { Problem } from '@signalbox/contract'
import type { ChatPost, ChatReference, ChatSender } from '../../providers/chat/chat.ts'
import type { ChatReaction } from '../../providers/chat/chat-dialect.ts'
import type { ChatMessage } from '../../providers/chat/chat-message.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { explainChatError } from '../../providers/chat/chat-dialects.ts'
import { saveDefaultChannelHealth, type ChannelOutcome } from '../../integrations/chat-rows.ts'
import { requireConnection, withProblems } from './find-channel.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { keyOfMessage } from '../sending/message-key.ts'
import { renderTestMessage } from '../messages/render-test-message.ts'

/**
 * Posts a message to the default channel, for a person who waits for it.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`, `channel_unreachable`, `provider_error`
 */
export async function sendTestMessage(
  deps: Pick<NotificationDeps, 'store' | 'chat' | 'pageUrl' | 'now'>,
  caller: Caller,
) {
  const { defaultChannelId } = await requireConnection(deps, caller)
  if (defaultChannelId === null) {
    throw new Problem(
      'channel_unreachable',
      'No channel is chosen. Choose a default channel first.',
    )
  }
  const { organizationName: organization, author, request } = caller
  const url = deps.pageUrl(caller.orgId, { page: 'integration', params: { kind: 'chat' } })
  const message = renderTestMessage({ organization, who: author.name, url })
  const key = keyOfMessage(`test/${request.requestId}`)
  const to = { channelId: defaultChannelId, key }
  const { channelId, messageId } = await withProblems(() => post(deps, caller.orgId, message, to))
  return { channelId, messageId, postedAt: deps.now() }
}

/** Lists what says that the channel takes no messages. All else passes by itself, or is about the whole connection. */
const closesChannel: ReadonlySet<ChatReaction> = new Set(['broken', 'join'])

/** Posts the message, and stores the outcome as the health of the channel where it says something about that. */
async function post(
  { store, chat, now }: Pick<NotificationDeps, 'store' | 'chat' | 'now'>,
  orgId: string,
  message: ChatMessage,
  to: ChatPost,
): Promise<ChatReference> {
  const note = (outcome: Pick<ChannelOutcome, 'reason' | 'deliveredAt'>) =>
    store.transaction({ orgId }, (tx) =>
      saveDefaultChannelHealth(tx, orgId, { channelId: to.channelId, ...outcome }),
    )
  try {
    const reference = await postOrJoin(await chat.open(orgId), message, to)
    await note({ reason: null, deliveredAt: now() })
    return reference
  } catch (error) {
    const explained = error instanceof ProviderError ? explainChatError(error) : undefined
    if (explained !== undefined && closesChannel.has(explained.reaction))
      await note({ reason: explained.code, deliveredAt: null })
    throw error
  }
}

async function postOrJoin(
  sender: ChatSender,
  message: ChatMessage,
  to: ChatPost,
): Promise<ChatReference> {
  try {
    return await sender.post(message, to)
  } catch (error) {
    const isOutside = error instanceof ProviderError && explainChatError(error).reaction === 'join'
    if (!isOutside || sender.join === undefined) throw error
    await sender.join(to.channelId)
    return sender.post(message, to)
  }
}
