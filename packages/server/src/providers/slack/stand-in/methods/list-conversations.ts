import type { ConversationsListResponse, UsersConversationsResponse } from '@slack/web-api'
import {
  fieldOf,
  isSet,
  missingScope,
  refuse,
  type SlackBody,
  type SlackCall,
  type SlackMethod,
} from '../method.ts'
import type { SlackChannel } from '../state.ts'
import { channelObject, channelObjectFor } from './channel-object.ts'
import { pageOf } from './page-of.ts'

/** Maps a type of conversation to its scope. There are no direct messages here. */
const scopeOfType = new Map([
  ['public_channel', 'channels:read'],
  ['private_channel', 'groups:read'],
  ['mpim', 'mpim:read'],
  ['im', 'im:read'],
])
const scopes = [...scopeOfType.values()]

/** Lists every public channel, and the private ones that the caller is in. */
export const conversationsList: SlackMethod = {
  scopes,
  run: (call) => {
    const page = visiblePage(call, () => true)
    if ('refused' in page) return page.refused
    return {
      ok: true,
      channels: page.items.map((channel) => ({
        ...channelObjectFor(call.state, channel, call.token.user),
        num_members: channel.members.size,
      })),
      response_metadata: { next_cursor: page.nextCursor },
    } satisfies ConversationsListResponse
  },
}

/** Lists the channels that `user` is in, by default the caller. */
export const usersConversations: SlackMethod = {
  scopes,
  run: (call) => {
    const userId = fieldOf(call, 'user') ?? call.token.user.id
    if (!call.state.users.has(userId)) return refuse('user_not_found')
    const page = visiblePage(call, ({ members }) => members.has(userId))
    if ('refused' in page) return page.refused
    return {
      ok: true,
      channels: page.items.map((channel) => channelObject(call.state, channel)),
      response_metadata: { next_cursor: page.nextCursor },
    } satisfies UsersConversationsResponse
  },
}

/**
 * Filters after cutting the page, so a page may hold fewer than `limit`, even none, although more follow: Slack
 * promises no more.
 */
function visiblePage(
  call: SlackCall,
  isWanted: (channel: SlackChannel) => boolean,
):
  | { readonly items: readonly SlackChannel[]; readonly nextCursor: string }
  | { readonly refused: SlackBody } {
  const types = (fieldOf(call, 'types') ?? 'public_channel').split(',').map((type) => type.trim())
  const needed = types.map((type) => scopeOfType.get(type))
  if (needed.includes(undefined)) return { refused: refuse('invalid_types') }
  const missing = needed.find((scope) => !call.token.scopes.has(scope ?? ''))
  if (missing !== undefined) return { refused: missingScope(call.token, missing) }
  const page = pageOf(call, [...call.state.channels.values()], ({ id }) => id)
  if ('refused' in page) return page
  const isVisible = (channel: SlackChannel) =>
    types.includes(channel.isPrivate ? 'private_channel' : 'public_channel') &&
    (!channel.isPrivate || channel.members.has(call.token.user.id)) &&
    !(channel.isArchived && isSet(call, 'exclude_archived'))
  return { ...page, items: page.items.filter((channel) => isVisible(channel) && isWanted(channel)) }
}
