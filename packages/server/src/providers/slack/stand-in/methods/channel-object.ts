import type { SlackChannel, SlackState, SlackUser } from '../state.ts'

/** Returns a conversation as `users.conversations` shows it: without members. */
export function channelObject({ team }: SlackState, channel: SlackChannel) {
  const { id, name, isPrivate } = channel
  return {
    id,
    name,
    name_normalized: name,
    previous_names: channel.previousNames,
    is_channel: !isPrivate,
    is_group: isPrivate,
    is_im: false,
    is_mpim: false,
    is_private: isPrivate,
    created: Math.floor(channel.createdAt.getTime() / 1000),
    creator: channel.creatorId,
    is_archived: channel.isArchived,
    is_general: name === 'general',
    unlinked: 0,
    is_shared: false,
    is_ext_shared: false,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    context_team_id: team.id,
    shared_team_ids: [team.id],
    updated: channel.createdAt.getTime(),
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
  }
}

/** Returns a conversation as `user` sees it: with their membership. */
export function channelObjectFor(state: SlackState, channel: SlackChannel, user: SlackUser) {
  return { ...channelObject(state, channel), is_member: channel.members.has(user.id) }
}
