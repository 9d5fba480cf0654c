import type {
  APIGuildMember,
  APIGuildTextChannel,
  APIMessage,
  APIPublicThreadChannel,
  APIRole,
  APIUser,
  GuildTextChannelType,
} from 'discord-api-types/v10'
import type { DiscordChannel, DiscordGuild, DiscordMessage, DiscordState } from './state.ts'
import { postedAt } from './state.ts'

type View<T> = Partial<Record<keyof T, unknown>>

/** Returns the bot, or the person, as a user. */
function userOf({ app }: Pick<DiscordState, 'app'>, id: string): View<APIUser> {
  return {
    id,
    username: id === app.id ? app.name : 'ada',
    discriminator: '0',
    global_name: id === app.id ? null : 'Ada',
    avatar: null,
    public_flags: 0,
    flags: 0,
    primary_guild: null,
    ...(id === app.id && { bot: true }),
  } satisfies View<APIUser>
}

/** Returns the bot as it reads itself. */
export function ownUserOf(state: Pick<DiscordState, 'app'>): View<APIUser> {
  const own = { mfa_enabled: false, locale: 'en-US', verified: true, email: null }
  return { ...userOf(state, state.app.id), ...own } satisfies View<APIUser>
}

/** Returns the bot as a member of a server. */
export function memberOf(
  state: Pick<DiscordState, 'app'>,
  guild: DiscordGuild,
): View<APIGuildMember> {
  return {
    user: userOf(state, state.app.id),
    nick: null,
    avatar: null,
    banner: null,
    roles: guild.botRoles ?? [],
    joined_at: postedAt(guild).toISOString(),
    premium_since: null,
    communication_disabled_until: null,
    deaf: false,
    mute: false,
    pending: false,
    flags: 0,
  } satisfies View<APIGuildMember>
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
    embeds: message.embeds.map((embed) => ({ type: 'rich', ...embed })),
    components: [],
    flags: 0,
    pinned: false,
    type: message.replyTo === undefined ? 0 : 19,
    ...(message.replyTo !== undefined && {
      message_reference: { type: 0, channel_id: message.channelId, message_id: message.replyTo },
    }),
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
    flags: 0,
    nsfw: false,
    permission_overwrites: channel.overwrites.map(({ id, type, allow, deny }) => ({
      id,
      type,
      allow: allow.toString(),
      deny: deny.toString(),
    })),
  } satisfies View<APIGuildTextChannel<GuildTextChannelType>>
}

/** Returns a thread, which the bot has opened, as the API shows it. */
export function threadOf(
  { app }: Pick<DiscordState, 'app'>,
  guild: DiscordGuild,
  thread: DiscordChannel,
): View<APIPublicThreadChannel> {
  const count = thread.messages.size
  return {
    id: thread.id,
    type: thread.type,
    guild_id: guild.id,
    name: thread.name,
    parent_id: thread.parentId ?? null,
    owner_id: app.id,
    flags: 0,
    message_count: count,
    total_message_sent: count,
    member_count: 1,
    thread_metadata: {
      archived: thread.isArchived,
      archive_timestamp: postedAt(thread).toISOString(),
      auto_archive_duration: 4320,
      locked: false,
    },
  } satisfies View<APIPublicThreadChannel>
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
        colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
        icon: null,
        unicode_emoji: null,
        hoist: false,
        managed: id !== guild.id,
        mentionable: false,
        flags: 0,
      }) satisfies View<APIRole>,
  )
}
