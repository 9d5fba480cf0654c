import { z } from 'zod'
import type { ChatLookup, ChatReference } from '../chat/chat.ts'
import { ProviderError } from '../provider-error.ts'
import { callDiscord, type DiscordCall } from './api-call.ts'
import { readBotMember } from './bot-member.ts'
import { toNonce, toSnowflake } from './message-key.ts'
import { readChannel } from './directory.ts'
import { channelPermissions, has } from './permissions.ts'
import { markOf } from './render-message.ts'

const messages = z.array(
  z.object({
    id: z.string().regex(/^\d{1,20}$/),
    author: z.object({ id: z.string() }),
    nonce: z.union([z.string(), z.number()]).optional().catch(undefined),
    embeds: z
      .array(z.object({ footer: z.object({ text: z.string() }).optional().catch(undefined) }))
      .catch([]),
  }),
)

const pageSize = 100
const pagesMax = 20
/** Clocks differ: a message may seem to be older than the moment at which it was sent. */
const clockToleranceMs = 60_000

/**
 * Finds a message of the bot by the mark in its footer; `undefined`: it is not there. Whoever may not read the history is told that a
 * channel is empty, so that the right to is checked first.
 *
 * @throws {ProviderError} `forbidden` without the right, `unavailable` when more was written meanwhile than is read
 * @see https://docs.discord.com/developers/resources/message#get-channel-messages
 */
export async function findMessage(
  options: DiscordCall & { readonly guildId: string },
  { channelId, key, since, thread, broadcast = false }: ChatLookup,
): Promise<ChatReference | undefined> {
  const [channel, bot] = await Promise.all([
    readChannel(options, channelId),
    readBotMember(options, options.guildId),
  ])
  if (!has(channelPermissions(bot, channel.overwrites), 'READ_MESSAGE_HISTORY')) {
    throw new ProviderError({ provider: 'discord', failure: 'forbidden', code: '50013' })
  }
  // A thread is a channel with the id of its message.
  const isInThread = thread !== undefined && !broadcast
  const where = isInThread ? thread.messageId : channelId
  let after = toSnowflake(new Date(since.getTime() - clockToleranceMs))
  for (let page = 0; page < pagesMax; page += 1) {
    const batch = await readPage(options, where, after)
    // Its thread was never opened, so nothing was sent to it.
    if (batch === undefined && isInThread) return undefined
    if (batch === undefined) throw unknownChannel()
    const own = batch.find(
      ({ author, nonce, embeds }) =>
        author.id === bot.userId &&
        (nonce === toNonce(key) || embeds.some(({ footer }) => footer?.text.endsWith(markOf(key)))),
    )
    if (own !== undefined) return { channelId: where, messageId: own.id }
    if (batch.length < pageSize) return undefined
    after = newestOf(batch.map(({ id }) => BigInt(id)))
  }
  throw new ProviderError({ provider: 'discord', failure: 'unavailable', code: 'too_much_written' })
}

const unknownChannelCode = '10003'

/** Reads the messages right after an id; `undefined`: there is no such channel. */
async function readPage(
  call: DiscordCall,
  channelId: string,
  after: string,
): Promise<z.output<typeof messages> | undefined> {
  try {
    return await callDiscord(call, {
      path: `/channels/${channelId}/messages`,
      query: { after, limit: String(pageSize) },
      answer: messages,
    })
  } catch (error) {
    if (error instanceof ProviderError && error.code === unknownChannelCode) return undefined
    throw error
  }
}

function unknownChannel(): ProviderError {
  return new ProviderError({ provider: 'discord', failure: 'notFound', code: unknownChannelCode })
}

function newestOf(ids: readonly bigint[]): string {
  return ids.reduce((newest, id) => (id > newest ? id : newest), 0n).toString()
}
