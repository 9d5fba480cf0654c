import type { ChatPostMessageResponse } from '@slack/web-api'
import {
  fieldOf,
  isSet,
  missingField,
  refuse,
  type SlackBody,
  type SlackCall,
  type SlackMethod,
} from '../method.ts'
import {
  postingErrors,
  type SlackChannel,
  type SlackMessage,
  type SlackState,
  type SlackUser,
} from '../state.ts'
import { findChannelByIdOrName } from './find-channel.ts'
import { readContent, type MessageContent } from './message-content.ts'
import { messageObject } from './message-object.ts'

/** Limits the text. Longer texts are cut, with a warning. */
const textMax = 40_000
const postEveryMs = 1_000

/** Posts a message, or returns one of just before with the same `client_msg_id`. */
export const chatPostMessage: SlackMethod = {
  scopes: ['chat:write'],
  run: (call) => {
    if (fieldOf(call, 'channel') === undefined) return missingField('channel')
    const channel = findChannelByIdOrName(call)
    if (channel === undefined) return refuse('channel_not_found')
    const refused = refusePosting(call, channel)
    if (refused !== undefined) return refused
    const read = readContent(call)
    if ('refused' in read) return read.refused
    const clientMsgId = fieldOf(call, 'client_msg_id')
    const first = findDuplicate(call, channel, clientMsgId)
    if (first?.deleted) return refuse('duplicate_message_not_found')
    const message = first ?? post(call, channel, read.content)
    const cut = read.content.text.length > textMax
    return {
      ...({
        ok: true,
        channel: channel.id,
        ts: message.ts,
        ...(cut && { warning: 'message_truncated' }),
        ...(cut && { response_metadata: { warnings: ['message_truncated'] } }),
      } as const satisfies ChatPostMessageResponse),
      message: messageObject(call.state, channel, message),
    }
  },
}

/** Lists the rejections that apply only to messages in the channel itself, or only to replies. */
const errorsOf: Readonly<Record<'messages' | 'replies', readonly string[]>> = {
  messages: ['restricted_action_thread_only_channel'],
  replies: ['restricted_action_non_threadable_channel', 'restricted_action_thread_locked'],
}

/** Returns the rejection of posts in this channel, if any. */
function refusePosting(call: SlackCall, channel: SlackChannel): SlackBody | undefined {
  const { state, token } = call
  if (channel.isArchived) return refuse('is_archived')
  const mayPost =
    channel.members.has(token.user.id) ||
    (token.user.botId !== undefined && token.scopes.has('chat:write.public'))
  if (!mayPost) return refuse('not_in_channel')
  const elsewhere = errorsOf[fieldOf(call, 'thread_ts') === undefined ? 'replies' : 'messages']
  const rejection = postingErrors.find(
    (name) => channel.rejections.has(name) && !elsewhere.includes(name),
  )
  if (rejection !== undefined) return refuse(rejection)
  const { lastPostAt } = channel
  const sinceMs =
    lastPostAt === undefined ? Infinity : state.clock.now().getTime() - lastPostAt.getTime()
  return state.settings.rateLimit && sinceMs < postEveryMs ? refuse('ratelimited') : undefined
}

function findDuplicate(
  { state, token }: SlackCall,
  { messages }: SlackChannel,
  clientMsgId: string | undefined,
): SlackMessage | undefined {
  const { clientMsgIdWindowMs } = state.settings
  if (clientMsgIdWindowMs === 0 || clientMsgId === undefined) return undefined
  const since = state.clock.now().getTime() - clientMsgIdWindowMs
  return [...messages.values()].find(
    ({ clientMsgId: known, author, ts }) =>
      known === clientMsgId && author.id === token.user.id && Number(ts) * 1000 > since,
  )
}

function post(call: SlackCall, channel: SlackChannel, content: MessageContent): SlackMessage {
  const threadTs = fieldOf(call, 'thread_ts')
  channel.lastPostAt = call.state.clock.now()
  return addMessage(call.state, channel, {
    ...content,
    text: content.text.slice(0, textMax),
    author: call.token.user,
    clientMsgId: fieldOf(call, 'client_msg_id'),
    // A reply to a reply belongs to the same thread.
    threadTs: channel.messages.get(threadTs ?? '')?.threadTs ?? threadTs,
    broadcast: threadTs !== undefined && isSet(call, 'reply_broadcast'),
  })
}

/** Describes a message to add. */
export interface NewMessage extends MessageContent {
  readonly author: SlackUser
  readonly clientMsgId: string | undefined
  readonly threadTs: string | undefined
  readonly broadcast: boolean
}

/** Adds a message to the end of a channel. */
export function addMessage(
  state: SlackState,
  channel: SlackChannel,
  message: NewMessage,
): SlackMessage {
  const writtenAt = state.clock.now()
  const added: SlackMessage = {
    ...message,
    ts: state.nextTs(),
    writtenAt,
    revisions: [],
    reactions: new Map(),
    deleted: false,
  }
  channel.messages.set(added.ts, added)
  return added
}
