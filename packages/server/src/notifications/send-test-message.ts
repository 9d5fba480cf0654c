import { Problem } from '@signalbox/contract'
import type { ChatMessage, ChatPost, ChatReference, ChatSender } from '../providers/chat.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { OrganizationCaller } from '../integrations/organization-caller.ts'
import { explainChatError } from './explain-chat-error.ts'
import { requireConnection, withProblems } from './find-channel.ts'
import type { NotificationDeps } from './notification-deps.ts'
import { keyOfMessage } from './message-key.ts'
import { renderTestMessage } from './render-test-message.ts'

export interface SentTest extends ChatReference {
  readonly postedAt: Date
}

/**
 * Posts a message to the default channel, for a person who waits for it.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`, `channel_unreachable`, `provider_error`
 */
export async function sendTestMessage(
  deps: Pick<NotificationDeps, 'store' | 'chat' | 'pageUrl' | 'now'>,
  caller: OrganizationCaller,
): Promise<SentTest> {
  const { defaultChannelId } = await requireConnection(deps, caller)
  if (defaultChannelId === null) {
    throw new Problem(
      'channel_unreachable',
      'No channel is chosen. Choose a default channel first.',
    )
  }
  const { organizationName: organization, author, request } = caller
  const url = deps.pageUrl('/integrations')
  const message = renderTestMessage({ organization, who: author.name, url })
  const key = keyOfMessage(`test/${request.requestId}`)
  const to = { channelId: defaultChannelId, key }
  const reference = await withProblems(async () =>
    postOrJoin(await deps.chat.open(caller.orgId), message, to),
  )
  return { ...reference, postedAt: deps.now() }
}

async function postOrJoin(
  sender: ChatSender,
  message: ChatMessage,
  to: ChatPost,
): Promise<ChatReference> {
  try {
    return await sender.post(message, to)
  } catch (error) {
    const isOutside = error instanceof ProviderError && explainChatError(error).remedy === 'join'
    if (!isOutside || sender.join === undefined) throw error
    await sender.join(to.channelId)
    return sender.post(message, to)
  }
}
