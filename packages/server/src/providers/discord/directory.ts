import { z } from 'zod'
import type { ChannelCheck, ChatChannel, ChatDirectory } from '../chat/chat.ts'
import { ProviderError } from '../provider-error.ts'
import { callDiscord, type DiscordCall } from './api-call.ts'
import { readBotMember } from './bot-member.ts'
import {
  channelPermissions,
  has,
  isOpenToAll,
  type BotMember,
  type Overwrite,
} from './permissions.ts'

const bits = z.string().regex(/^\d{1,40}$/)
const overwrite = z.object({ id: z.string(), type: z.int(), allow: bits, deny: bits })
const channel = z
  .object({
    id: z.string(),
    type: z.int(),
    name: z.string().nullish(),
    position: z.int().default(0),
    guild_id: z.string().optional(),
    permission_overwrites: z.array(overwrite).default([]),
  })
  .transform(({ id, type, name, position, guild_id, permission_overwrites }) => ({
    id,
    type,
    name: name ?? '',
    position,
    guildId: guild_id,
    overwrites: permission_overwrites,
  }))

type DiscordChannel = z.output<typeof channel>

/** Lists the types of channels that take messages: text and announcements. */
const textTypes: ReadonlySet<number> = new Set([0, 5])

/** Reads a channel. @throws {ProviderError} */
export function readChannel(call: DiscordCall, channelId: string): Promise<DiscordChannel> {
  return callDiscord(call, { path: `/channels/${encodeURIComponent(channelId)}`, answer: channel })
}

/** Creates the answers to questions about one server. */
export function createDirectory(
  options: DiscordCall & {
    readonly guildId: string
    readonly requireConnected: () => Promise<void>
  },
): ChatDirectory {
  const { guildId, requireConnected } = options
  const find = async (channelId: string) => {
    await requireConnected()
    const match = await findOwn(options, guildId, channelId)
    return match && { match, bot: await readBotMember(options, guildId) }
  }
  return {
    coverage: {
      isWhole: true,
      notes: [
        'A channel that is missing is hidden from the bot: give its role View Channel there.',
        'To post, it needs Send Messages and Embed Links.',
      ],
    },
    async listChannels({ page, limit }) {
      await requireConnected()
      const [channels, bot] = await Promise.all([
        callDiscord(options, { path: `/guilds/${guildId}/channels`, answer: z.array(channel) }),
        readBotMember(options, guildId),
      ])
      const visible = channels
        .filter(({ type, overwrites }) => textTypes.has(type) && sees(bot, overwrites))
        .toSorted((one, other) => one.position - other.position || compare(one.id, other.id))
      // The provider has one list, and this one has pages.
      const from = page === undefined ? 0 : Number(page)
      const end = from + limit
      return {
        channels: visible.slice(from, end).map((each) => present(each, bot)),
        nextPage: end < visible.length ? String(end) : undefined,
      }
    },
    async findChannel(channelId) {
      const of = await find(channelId)
      return of !== undefined && textTypes.has(of.match.type)
        ? present(of.match, of.bot)
        : undefined
    },
    async checkChannel(channelId): Promise<ChannelCheck> {
      const of = await find(channelId)
      if (of === undefined) return { name: null, refusedWith: '10003' }
      const { match, bot } = of
      if (!textTypes.has(match.type)) return { name: match.name, refusedWith: '50008' }
      return { name: match.name, refusedWith: maySend(bot, match.overwrites) ? null : '50013' }
    },
    async checkAccess() {
      const path = `/guilds/${guildId}`
      await callDiscord(options, { path, answer: z.object({ id: z.string() }) })
    },
  }
}

/** Lists the codes of a channel that is not there, or is hidden from the bot. */
const hiddenCodes: ReadonlySet<string> = new Set(['10003', '50001', '50035', 'http_404'])

async function findOwn(
  call: DiscordCall,
  guildId: string,
  channelId: string,
): Promise<DiscordChannel | undefined> {
  try {
    const match = await readChannel(call, channelId)
    // The bot reaches channels of other organizations as well.
    return match.guildId === guildId ? match : undefined
  } catch (error) {
    if (error instanceof ProviderError && hiddenCodes.has(error.code)) return undefined
    throw error
  }
}

function present({ id, name, overwrites }: DiscordChannel, bot: BotMember): ChatChannel {
  const mayPost = maySend(bot, overwrites)
  return {
    id,
    name,
    isPrivate: !isOpenToAll(bot, overwrites),
    isMember: mayPost,
    isArchived: false,
    ...(mayPost ? { reach: 'the bot can post' } : { obstacle: 'the bot may not post' }),
  }
}

function sees(bot: BotMember, overwrites: readonly Overwrite[]): boolean {
  return has(channelPermissions(bot, overwrites), 'VIEW_CHANNEL')
}

function maySend(bot: BotMember, overwrites: readonly Overwrite[]): boolean {
  const rights = channelPermissions(bot, overwrites)
  return has(rights, 'SEND_MESSAGES') && has(rights, 'EMBED_LINKS')
}

function compare(one: string, other: string): number {
  return BigInt(one) < BigInt(other) ? -1 : 1
}
