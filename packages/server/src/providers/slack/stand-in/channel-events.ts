import type { SlackParts } from './method.ts'
import type { SlackChannel, SlackUser } from './state.ts'

/** Describes the changes of a channel by people, which send events to the app. */
export interface ChannelEvents {
  renamed(channel: SlackChannel): void
  archived(channel: SlackChannel): void
  recordJoin(channel: SlackChannel, user: SlackUser): void
  left(channel: SlackChannel, user: SlackUser): void
}

/**
 * Creates the events about channels. The app receives those of public channels with `channels:read`, and those of
 * private channels that the bot is in with `groups:read`. Events of private channels have their own names.
 */
export function createChannelEvents({ state, tokens, events }: SlackParts): ChannelEvents {
  const { bot, clock, team } = state
  const eventTs = () => `${Math.floor(clock.now().getTime() / 1000)}.000000`
  const receivesEventsOf = ({ isPrivate, members }: SlackChannel, was = members.has(bot.id)) =>
    tokens.grantedTo(bot)?.has(isPrivate ? 'groups:read' : 'channels:read') === true &&
    (!isPrivate || was)
  const about = ({ id, isPrivate }: SlackChannel, user: SlackUser) => ({
    user: user.id,
    channel: id,
    channel_type: isPrivate ? 'G' : 'C',
    team: team.id,
    event_ts: eventTs(),
  })
  return {
    renamed(channel) {
      if (!receivesEventsOf(channel)) return
      const { id, name, isPrivate, createdAt } = channel
      const renamed = {
        id,
        name,
        name_normalized: name,
        created: Math.floor(createdAt.getTime() / 1000),
        is_channel: !isPrivate,
        is_mpim: false,
      }
      const type = isPrivate ? 'group_rename' : 'channel_rename'
      events.emit({ type, channel: renamed, event_ts: eventTs() })
    },
    archived(channel) {
      if (!receivesEventsOf(channel)) return
      const archived = { channel: channel.id, user: channel.creatorId, event_ts: eventTs() }
      events.emit(
        channel.isPrivate
          ? { type: 'group_archive', is_moved: 0, ...archived }
          : { type: 'channel_archive', is_moved: 0, ...archived },
      )
    },
    recordJoin(channel, user) {
      if (!receivesEventsOf(channel)) return
      const inviter = channel.creatorId
      events.emit({ type: 'member_joined_channel', ...about(channel, user), inviter })
    },
    left(channel, user) {
      const isBot = user.id === bot.id
      if (!receivesEventsOf(channel, isBot || channel.members.has(bot.id))) return
      events.emit({ type: 'member_left_channel', ...about(channel, user) })
      if (!isBot) return
      const type = channel.isPrivate ? 'group_left' : 'channel_left'
      events.emit({ type, channel: channel.id, actor_id: channel.creatorId, event_ts: eventTs() })
    },
  }
}
