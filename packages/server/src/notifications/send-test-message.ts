import { Problem } from '@signalbox/contract'
import type { ChatMessage, ChatPost, ChatReference, ChatSender } from '../providers/chat.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { OrganizationCaller } from '../integrations/organization-caller.ts'
import { explainChatError } from './explain-chat-error.ts'
import { saveDefaultChannelHealth } from './default-channel-rows.ts'
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
  const url = deps.pageUrl(caller.orgId, '/integrations/chat')
  const message = renderTestMessage({ organization, who: author.name, url })
  const key = keyOfMessage(`test/${request.requestId}`)
  const to = { channelId: defaultChannelId, key }
  const reference = await withProblems(() => post(deps, caller.orgId, message, to))
  return { ...reference, postedAt: deps.now() }
}

/** What became of the test is how the channel stands. */
async function post(
  { store, chat }: Pick<NotificationDeps, 'store' | 'chat'>,
  orgId: string,
  message: ChatMessage,
  to: ChatPost,
): Promise<ChatReference> {
  const note = (reason: string | null) =>
    store.transaction({ orgId }, (tx) =>
      saveDefaultChannelHealth(tx, orgId, { channelId: to.channelId, reason }),
    )
  try {
    const reference = await postOrJoin(await chat.open(orgId), message, to)
    await note(null)
    return reference
  } catch (error) {
    const verdict = error instanceof ProviderError ? explainChatError(error) : undefined
    if (verdict?.remedy === 'broken' || verdict?.remedy === 'join') await note(verdict.code)
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
    const isOutside = error instanceof ProviderError && explainChatError(error).remedy === 'join'
    if (!isOutside || sender.join === undefined) throw error
    await sender.join(to.channelId)
    return sender.post(message, to)
  }
}
