import type {
  APIGuildTextChannel,
  APIMessage,
  APIRole,
  APIUser,
  GuildTextChannelType,
} from 'discord-api-types/v10'
import type { DiscordChannel, DiscordGuild, DiscordMessage, DiscordState } from './state.ts'
import { postedAt } from './state.ts'

type View<T> = Partial<Record<keyof T, unknown>>

/** Returns the bot as a user. */
export function userOf({ app }: Pick<DiscordState, 'app'>, id: string): View<APIUser> {
  return {
    id,
    username: id === app.id ? app.name : 'ada',
    discriminator: '0',
    global_name: id === app.id ? null : 'Ada',
    avatar: null,
    ...(id === app.id && { bot: true }),
  } satisfies View<APIUser>
}

/** Returns a message as the API shows it. */
export function messageOf(
  state: Pick<DiscordState, 'app'>,
  message: DiscordMessage,
): View<APIMessage> {
  return {
    id: message.id,
    channel_id: message.channelId,
    author: userOf(state, message.authorId),
    content: message.content,
    timestamp: postedAt(message).toISOString(),
    edited_timestamp: message.editedAt?.toISOString() ?? null,
    tts: false,
    mention_everyone: message.pinged,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: message.embeds,
    pinned: false,
    type: message.replyTo === undefined ? 0 : 19,
  } satisfies View<APIMessage>
}

/** Returns a channel as the API shows it. */
export function channelOf(
  guild: DiscordGuild,
  channel: DiscordChannel,
): View<APIGuildTextChannel<GuildTextChannelType>> {
  return {
    id: channel.id,
    type: channel.type,
    guild_id: guild.id,
    name: channel.name,
    position: channel.position,
    parent_id: channel.parentId ?? null,
    nsfw: false,
    permission_overwrites: channel.overwrites.map(({ id, type, allow, deny }) => ({
      id,
      type,
      allow: allow.toString(),
      deny: deny.toString(),
    })),
  } satisfies View<APIGuildTextChannel<GuildTextChannelType>>
}

/** Returns the roles of a server as the API shows them. */
export function rolesOf(guild: DiscordGuild): View<APIRole>[] {
  return [...guild.roles].map(
    ([id, { name, permissions }], position) =>
      ({
        id,
        name,
        permissions: permissions.toString(),
        position,
        color: 0,
        hoist: false,
        managed: id !== guild.id,
        mentionable: false,
        flags: 0,
      }) satisfies View<APIRole>,
  )
}
