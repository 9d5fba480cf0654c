import { z } from 'zod'
import type {
  ChatCapabilities,
  ChatDirectory,
  ChatPost,
  ChatReference,
  ChatSender,
} from '../chat/chat.ts'
import type { ChatMessage } from '../chat/chat-message.ts'
import { ProviderError } from '../provider-error.ts'
import { callDiscord, type DiscordCall } from './api-call.ts'
import { createDirectory } from './directory.ts'
import { findMessage } from './find-message.ts'
import { toNonce } from './message-key.ts'
import { budgetsOf } from './rates.ts'
import { renderMessage, renderThreadName } from './render-message.ts'

/** Describes the server of Discord that is called. */
export interface DiscordApiOptions extends DiscordCall {
  /** Example: `https://discord.com`. */
  readonly webUrl: string
  readonly guildId: string
  /** Checks that the server is still the connected one: the bot's token outlives every connection. @throws {Problem} */
  readonly requireConnected: () => Promise<void>
  /** Reads whether the bot is still in the server, and stores it. @throws {ProviderError} */
  readonly refreshAccess: () => Promise<'ended' | 'suspended' | undefined>
  /** Maps channels to their servers, which never change. Shared by all organizations. */
  readonly guilds: Map<string, string>
}

/**
 * Lists what the engine of notifications may count on. A nonce is kept "for the past few minutes"; a minute stays below that with room for a call.
 *
 * @see https://docs.discord.com/developers/resources/message#create-message
 */
export const discordCapabilities: ChatCapabilities = {
  update: true,
  repeatMs: 60_000,
  threads: true,
}

const posted = z.object({ id: z.string(), channel_id: z.string() })
const nothing = z.unknown()
const guildOfChannel = z.object({ guild_id: z.string().optional() })
const channelsMax = 10_000

/** Turns off every mention. Discord reads a text anew with each edit, so that an edit without this would mention. */
const noMentions = { parse: [] } as const

/**
 * Creates the API of one server of Discord. The bot reaches the servers of every organization, so that each channel is checked to be in
 * this one.
 */
export function createDiscordApi(options: DiscordApiOptions): ChatSender & ChatDirectory {
  const { webUrl, guildId } = options
  return {
    capabilities: discordCapabilities,
    budgetsOf,
    post: (message, to) => reportRemoval(options, () => post(options, message, to)),
    update: (reference, message) =>
      reportRemoval(options, () => update(options, reference, message)),
    find: (of) =>
      reportRemoval(options, async () => {
        await requireOwn(options, of.channelId)
        return findMessage(options, of)
      }),
    findUrl: ({ channelId, messageId }: ChatReference) =>
      Promise.resolve(`${webUrl}/channels/${guildId}/${channelId}/${messageId}`),
    ...createDirectory(options),
  }
}

async function post(
  options: DiscordApiOptions,
  message: ChatMessage,
  to: ChatPost,
): Promise<ChatReference> {
  await requireOwn(options, to.channelId)
  const channelId = await openTarget(options, message, to)
  const { thread, broadcast = false } = to
  const reply =
    thread !== undefined && broadcast
      ? { message_reference: { message_id: thread.messageId, fail_if_not_exists: false } }
      : {}
  const { id, channel_id: where } = await callDiscord(options, {
    method: 'POST',
    path: `/channels/${channelId}/messages`,
    json: {
      ...renderMessage(message, to.key),
      ...reply,
      allowed_mentions: noMentions,
      nonce: toNonce(to.key),
      enforce_nonce: true,
    },
    answer: posted,
  })
  return { channelId: where, messageId: id }
}

async function update(
  options: DiscordApiOptions,
  { channelId, messageId }: ChatReference,
  message: ChatMessage,
): Promise<void> {
  await requireOwn(options, channelId)
  await callDiscord(options, {
    method: 'PATCH',
    path: `/channels/${channelId}/messages/${messageId}`,
    json: { ...renderMessage(message), allowed_mentions: noMentions },
    answer: nothing,
  })
}

/** A bot that was removed from its server is told that each channel is closed to it: then the whole connection has ended. */
async function reportRemoval<T>(options: DiscordApiOptions, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const isHidden = error instanceof ProviderError && error.code === '50001'
    if (!isHidden || (await options.refreshAccess()) !== 'ended') throw error
    const gone = { provider: 'discord', failure: 'unauthorized', code: '10004' } as const
    throw new ProviderError(gone, { cause: error })
  }
}

/** Refuses a channel of another server, as Discord does one that is not there. */
async function requireOwn(options: DiscordApiOptions, channelId: string): Promise<void> {
  const { guildId, guilds, requireConnected } = options
  await requireConnected()
  let owner = guilds.get(channelId)
  if (owner === undefined) {
    const path = `/channels/${encodeURIComponent(channelId)}`
    owner = (await callDiscord(options, { path, answer: guildOfChannel })).guild_id ?? ''
    if (guilds.size >= channelsMax) guilds.clear()
    guilds.set(channelId, owner)
  }
  if (owner !== guildId) {
    throw new ProviderError({ provider: 'discord', failure: 'notFound', code: '10003' })
  }
}

/** Returns the channel to write to: that of a thread is opened at the first answer, and has the id of its message. */
async function openTarget(
  options: DiscordApiOptions,
  message: ChatMessage,
  { channelId, thread, broadcast = false }: ChatPost,
): Promise<string> {
  if (thread === undefined || broadcast) return channelId
  try {
    await callDiscord(options, {
      method: 'POST',
      path: `/channels/${channelId}/messages/${thread.messageId}/threads`,
      json: { name: renderThreadName(message) },
      answer: nothing,
    })
  } catch (error) {
    // Only the message counts: a thread that may have been opened is found again by the same id.
    if (!(error instanceof ProviderError)) throw error
    if (error.failure === 'ambiguous') throw unsent(error)
    if (error.code !== threadExists) throw error
  }
  return thread.messageId
}

const threadExists = '160004'

/** The message was not sent, and opening a thread again changes nothing. */
function unsent(cause: ProviderError): ProviderError {
  const { provider, code, retryAt } = cause
  return new ProviderError({ provider, failure: 'unavailable', code, retryAt }, { cause })
}
