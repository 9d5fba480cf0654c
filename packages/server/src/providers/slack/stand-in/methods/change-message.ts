import type {
  ChatDeleteResponse,
  ChatGetPermalinkResponse,
  ChatUpdateResponse,
} from '@slack/web-api'
import {
  fieldOf,
  isSet,
  missingField,
  refuse,
  type SlackBody,
  type SlackCall,
  type SlackMethod,
} from '../method.ts'
import { editingErrors, type SlackChannel, type SlackMessage, type SlackState } from '../state.ts'
import { findChannel } from './find-channel.ts'
import { readContent } from './message-content.ts'
import { messageObject } from './message-object.ts'

const updatedTextMax = 4_000

/** Replaces text and blocks. Without blocks in the call, the message has none afterwards. Metadata stays unless it is sent. */
export const chatUpdate: SlackMethod = {
  scopes: ['chat:write'],
  run: (call) => {
    const target = findMessage(call)
    if ('refused' in target) return target.refused
    const { channel, message } = target
    if (channel.isArchived) return refuse('is_inactive')
    const rejection = editingErrors.find((name) => channel.rejections.has(name))
    if (rejection !== undefined) return refuse(rejection)
    if (message.author.id !== call.token.user.id) return refuse('cant_update_message')
    const read = readContent(call)
    if ('refused' in read) return read.refused
    const { text, blocks, metadata } = read.content
    if (text.length > updatedTextMax) return refuse('msg_too_long')
    message.revisions.push({ text: message.text, blocks: message.blocks, at: message.writtenAt })
    message.text = text
    message.blocks = blocks
    message.metadata = metadata ?? message.metadata
    message.writtenAt = call.state.clock.now()
    if (message.threadTs !== undefined && isSet(call, 'reply_broadcast')) message.broadcast = true
    const rest = { ok: true, channel: channel.id, ts: message.ts, text } as const
    return {
      ...(rest satisfies ChatUpdateResponse),
      message: messageObject(call.state, channel, message),
    }
  },
}

/** Deletes a message of the caller. */
export const chatDelete: SlackMethod = {
  scopes: ['chat:write'],
  run: (call) => {
    const target = findMessage(call)
    if ('refused' in target) return target.refused
    const { channel, message } = target
    if (message.author.id !== call.token.user.id) return refuse('cant_delete_message')
    message.deleted = true
    return { ok: true, channel: channel.id, ts: message.ts } satisfies ChatDeleteResponse
  },
}

/** Returns the address at which a person can read a message. */
export const chatGetPermalink: SlackMethod = {
  scopes: [],
  run: (call) => {
    const target = findMessage(call, 'message_ts')
    if ('refused' in target) return target.refused
    const { channel, message } = target
    const permalink = permalinkOf(call, channel, message)
    return { ok: true, channel: channel.id, permalink } satisfies ChatGetPermalinkResponse
  },
}

/** Adds a reaction, each emoji once. */
export const reactionsAdd: SlackMethod = {
  scopes: ['reactions:write'],
  run: (call) => {
    const name = fieldOf(call, 'name')
    if (name === undefined) return refuse('no_item_specified')
    const target = findMessage(call, 'timestamp')
    if ('refused' in target) return target.refused
    const { channel, message } = target
    if (channel.isArchived) return refuse('is_archived')
    const users = message.reactions.get(name) ?? new Set()
    if (users.has(call.token.user.id)) return refuse('already_reacted')
    message.reactions.set(name, users.add(call.token.user.id))
    return { ok: true }
  },
}

/** Returns the address at which the sandbox shows a message, instead of `https://acme.slack.com/archives/…`. */
function permalinkOf(
  { origin }: { readonly origin: string; readonly state: SlackState },
  channel: SlackChannel,
  { ts }: SlackMessage,
): string {
  return `${origin}/slack/channels/${channel.id}#p${ts.replace('.', '')}`
}

/** Returns the message of `channel` and `ts`. It accepts only ids, not names. */
function findMessage(
  call: SlackCall,
  tsField = 'ts',
):
  | { readonly channel: SlackChannel; readonly message: SlackMessage }
  | { readonly refused: SlackBody } {
  for (const name of ['channel', tsField]) {
    if (fieldOf(call, name) === undefined) return { refused: missingField(name) }
  }
  const channel = findChannel(call, fieldOf(call, 'channel'))
  if (channel === undefined) return { refused: refuse('channel_not_found') }
  const message = channel.messages.get(fieldOf(call, tsField) ?? '')
  if (message === undefined || message.deleted) return { refused: refuse('message_not_found') }
  return { channel, message }
}
