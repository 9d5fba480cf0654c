import { z } from 'zod'
import type {
  ChannelCheck,
  ChannelCoverage,
  ChatCapabilities,
  ChatChannel,
  ChatDirectory,
  ChatLookup,
  ChatSender,
} from '../chat/chat.ts'
import type { ChatMessage } from '../chat/chat-message.ts'
import { ProviderError } from '../provider-error.ts'
import { callSlack, type SlackCall } from './api-call.ts'
import { findMessage, historyScopes, messageEvent } from './find-message.ts'
import { budgetsOf } from './rates.ts'
import { renderMessage } from './render-message.ts'

/** Describes the workspace that is called. */
export interface SlackApiOptions extends SlackCall {
  /** Lists what was granted. Private channels are listed with `groups:read` only, and messages looked for with `historyScopes`. */
  readonly scopes: readonly string[]
}

/**
 * Lists what the engine of notifications may count on where messages cannot be looked for. That a second post with the same
 * `client_msg_id` is the first message again follows from two errors of the reference. Neither that nor for how long is promised: a minute
 * is assumed, and half of it leaves room for what a call takes.
 *
 * @see https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
export const slackCapabilities: ChatCapabilities = {
  update: true,
  repeatMs: 30_000,
  threads: true,
}

/** Lists the same where messages can be looked for: then nothing depends on what Slack remembers. */
export const slackCapabilitiesWithHistory: ChatCapabilities = { ...slackCapabilities, repeatMs: 0 }

const posted = z.object({ channel: z.string(), ts: z.string() })
const nothing = z.object({})
const linked = z.object({ permalink: z.url({ protocol: /^https?$/ }).max(2_000) })
const channel = z
  .object({
    id: z.string(),
    name: z.string().default(''),
    is_private: z.boolean().default(false),
    is_member: z.boolean().default(false),
    is_archived: z.boolean().default(false),
  })
  .transform(({ id, name, is_private, is_member, is_archived }): ChatChannel => ({
    id,
    name,
    isPrivate: is_private,
    isMember: is_member,
    isArchived: is_archived,
  }))
const channelInfo = z.object({ channel })
const listed = z.object({
  channels: z.array(channel),
  response_metadata: z.object({ next_cursor: z.string().default('') }).optional(),
})

/**
 * Creates the API of one workspace of Slack.
 *
 * @see https://docs.slack.dev/reference/methods
 */
export function createSlackApi(options: SlackApiOptions): ChatSender & ChatDirectory {
  const readsHistory = historyScopes.every((scope) => options.scopes.includes(scope))
  return {
    capabilities: readsHistory ? slackCapabilitiesWithHistory : slackCapabilities,
    budgetsOf,
    ...(readsHistory && { find: (of: ChatLookup) => findMessage(options, of) }),
    async post(message, { channelId, key, thread, broadcast = false }) {
      const { channel: where, ts } = await callSlack(options, {
        method: 'chat.postMessage',
        json: {
          ...toContent(message),
          channel: channelId,
          client_msg_id: key,
          metadata: { event_type: messageEvent, event_payload: { key } },
          unfurl_links: false,
          unfurl_media: false,
          ...(thread && { thread_ts: thread.messageId, reply_broadcast: broadcast }),
        },
        answer: posted,
      })
      return { channelId: where, messageId: ts }
    },
    async update({ channelId, messageId }, message) {
      const json = { ...toContent(message), channel: channelId, ts: messageId }
      await callSlack(options, { method: 'chat.update', json, answer: nothing })
    },
    async findUrl({ channelId, messageId }) {
      const query = { channel: channelId, message_ts: messageId }
      const of = { method: 'chat.getPermalink', query, answer: linked }
      return (await callSlack(options, of)).permalink
    },
    async join(channelId) {
      const json = { channel: channelId }
      await callSlack(options, { method: 'conversations.join', json, answer: nothing })
    },
    ...createDirectory(options),
  }
}

/** Text and blocks always come together: a text alone would take away the blocks. */
function toContent(message: ChatMessage): Readonly<Record<string, unknown>> {
  // No addresses and no names are looked for in the text: what is a link or a mention was written as one.
  return { ...renderMessage(message), parse: 'none', link_names: false }
}

function createDirectory(options: SlackApiOptions): ChatDirectory {
  const findChannel: ChatDirectory['findChannel'] = async (channelId) => {
    const query = { channel: channelId }
    try {
      const request = { method: 'conversations.info', query, answer: channelInfo }
      return (await callSlack(options, request)).channel
    } catch (error) {
      if (error instanceof ProviderError && error.code === 'channel_not_found') return undefined
      throw error
    }
  }
  return {
    coverage: coverageOf(options.scopes),
    findChannel,
    async checkChannel(channelId) {
      try {
        return checkFound(await findChannel(channelId), options.scopes)
      } catch (error) {
        // A channel that the scopes do not reach any more is as good as gone.
        if (error instanceof ProviderError && error.failure === 'forbidden') {
          return checkFound(undefined, options.scopes)
        }
        throw error
      }
    },
    async listChannels({ page, limit }) {
      const answer = await callSlack(options, {
        method: 'conversations.list',
        query: {
          types: listedTypes(options.scopes),
          // Archived ones are listed and marked: who looks for one learns why nothing can be sent there.
          exclude_archived: 'false',
          limit: String(limit),
          ...(page !== undefined && { cursor: page }),
        },
        answer: listed,
      })
      const next = answer.response_metadata?.next_cursor ?? ''
      return { channels: answer.channels, nextPage: next === '' ? undefined : next }
    },
    async checkAccess() {
      await callSlack(options, { method: 'auth.test', answer: nothing })
    },
  }
}

function checkFound(channel: ChatChannel | undefined, scopes: readonly string[]): ChannelCheck {
  if (channel === undefined) return { name: null, refusedWith: 'channel_not_found' }
  const { name, isArchived, isMember, isPrivate } = channel
  if (isArchived) return { name, refusedWith: 'is_archived' }
  const mayEnter = scopes.includes('chat:write.public') || scopes.includes('channels:join')
  const isReached = isMember || (mayEnter && !isPrivate)
  return { name, refusedWith: isReached ? null : 'not_in_channel' }
}

function coverageOf(scopes: readonly string[]): ChannelCoverage {
  const [isPublicListed, isPrivateListed] = [
    scopes.includes('channels:read'),
    scopes.includes('groups:read'),
  ]
  return {
    isWhole: isPublicListed && isPrivateListed,
    notes: [
      ...(isPublicListed
        ? []
        : [
            'Public channels are missing, because channels:read was not granted. Connect Slack again.',
          ]),
      isPrivateListed
        ? 'To list a private channel, write "/invite @Signalbox" in it.'
        : 'Private channels are missing, because groups:read was not granted. Connect Slack again.',
    ],
  }
}

/** Slack refuses the whole list for one type whose scope is missing. */
function listedTypes(scopes: readonly string[]): string {
  const types = [
    ...(scopes.includes('channels:read') || !scopes.includes('groups:read')
      ? ['public_channel']
      : []),
    ...(scopes.includes('groups:read') ? ['private_channel'] : []),
  ]
  return types.join(',')
}
