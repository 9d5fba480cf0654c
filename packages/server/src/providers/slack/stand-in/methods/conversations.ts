import type {
  ConversationsHistoryResponse,
  ConversationsInfoResponse,
  ConversationsJoinResponse,
  ConversationsRepliesResponse,
} from '@slack/web-api'
import {
  fieldOf,
  isSet,
  missingField,
  missingScope,
  refuse,
  type SlackBody,
  type SlackCall,
  type SlackMethod,
} from '../method.ts'
import type { SlackChannel, SlackMessage } from '../state.ts'
import { channelObjectFor } from './channel-object.ts'
import { findChannel, scopeFor } from './find-channel.ts'
import { messageObject } from './message-object.ts'
import { pageOf } from './page-of.ts'

/** Returns one channel, under its current name. */
export const conversationsInfo: SlackMethod = {
  scopes: ['channels:read', 'groups:read'],
  run: (call) => {
    const { state, token } = call
    const channel = findChannel(call, fieldOf(call, 'channel'))
    if (channel === undefined) return refuse('channel_not_found')
    const scope = scopeFor(channel, 'read')
    if (!token.scopes.has(scope)) return missingScope(token, scope)
    const counted = isSet(call, 'include_num_members') && { num_members: channel.members.size }
    return {
      ok: true,
      channel: { ...channelObjectFor(state, channel, token.user), ...counted },
    } satisfies ConversationsInfoResponse
  },
}

/** Joins a public channel. A private one does not exist for a user who is not in it. */
export const conversationsJoin: SlackMethod = {
  scopes: ['channels:join'],
  run: (call) => {
    const { state, token } = call
    const channel = findChannel(call, fieldOf(call, 'channel'))
    if (channel === undefined) return refuse('channel_not_found')
    if (channel.isPrivate) return refuse('method_not_supported_for_channel_type')
    if (channel.isArchived) return refuse('is_archived')
    const already = channel.members.has(token.user.id)
    channel.members.add(token.user.id)
    const warned = {
      warning: 'already_in_channel',
      response_metadata: { warnings: ['already_in_channel'] },
    }
    return {
      ok: true,
      channel: channelObjectFor(state, channel, token.user),
      ...(already ? warned : {}),
    } satisfies ConversationsJoinResponse
  },
}

/** Returns the messages of the channel without replies, newest first. */
export const conversationsHistory: SlackMethod = {
  scopes: ['channels:history', 'groups:history'],
  run: (call) =>
    readMessages(call, (channel) =>
      [...channel.messages.values()]
        .filter(({ threadTs, broadcast }) => threadTs === undefined || broadcast)
        .toReversed(),
    ),
}

/** Returns a message and its replies, oldest first. */
export const conversationsReplies: SlackMethod = {
  scopes: ['channels:history', 'groups:history'],
  run: (call) => {
    const ts = fieldOf(call, 'ts')
    if (ts === undefined) return missingField('ts')
    return readMessages(call, (channel) => {
      const message = channel.messages.get(ts)
      const rootTs = message?.threadTs ?? ts
      const thread = [...channel.messages.values()].filter(
        (message) => message.ts === rootTs || message.threadTs === rootTs,
      )
      return thread.some(({ deleted }) => !deleted) ? thread : undefined
    })
  },
}

function readMessages(
  call: SlackCall,
  select: (channel: SlackChannel) => readonly SlackMessage[] | undefined,
): SlackBody {
  const { state, token } = call
  const channel = findChannel(call, fieldOf(call, 'channel'))
  if (channel === undefined) return refuse('channel_not_found')
  const scope = scopeFor(channel, 'history')
  if (!token.scopes.has(scope)) return missingScope(token, scope)
  if (!channel.members.has(token.user.id)) return refuse('not_in_channel')
  const selected = select(channel)
  if (selected === undefined) return refuse('thread_not_found')
  const visibleMessages = selected.filter((message) => !message.deleted && isInRange(call, message))
  const page = pageOf(call, visibleMessages, ({ ts }) => ts)
  if ('refused' in page) return page.refused
  const withMetadata = isSet(call, 'include_all_metadata')
  const rest = {
    ok: true,
    has_more: page.nextCursor !== '',
    response_metadata: { next_cursor: page.nextCursor },
  } as const satisfies ConversationsHistoryResponse & ConversationsRepliesResponse
  return {
    ...rest,
    messages: page.items.map((message) => messageObject(state, channel, message, withMetadata)),
  }
}

function isInRange(call: SlackCall, { ts }: SlackMessage): boolean {
  const inclusive = isSet(call, 'inclusive')
  const oldest = fieldOf(call, 'oldest') ?? '0'
  const latest = fieldOf(call, 'latest') ?? '9999999999'
  const at = Number(ts)
  if (inclusive) return at >= Number(oldest) && at <= Number(latest)
  return at > Number(oldest) && at < Number(latest)
}
