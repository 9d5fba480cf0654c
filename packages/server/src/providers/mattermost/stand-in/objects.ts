import type { Channel } from '@mattermost/types/channels'
import type { Post } from '@mattermost/types/posts'
import type { Team } from '@mattermost/types/teams'
import type { UserProfile } from '@mattermost/types/users'
import type { MattermostChannel, MattermostPost, MattermostTeam, MattermostUser } from './state.ts'

/** Describes a user as the API shows one to itself. */
type ShownUser = Omit<UserProfile, 'auth_data' | 'password' | 'notify_props'>

export function presentUser({ id, username, isBot, deletedAt }: MattermostUser): ShownUser {
  return {
    id,
    create_at: 1,
    update_at: 1,
    delete_at: deletedAt,
    username,
    auth_service: '',
    email: isBot ? `${username}@localhost` : `${username}@acme.example`,
    nickname: '',
    first_name: '',
    last_name: '',
    position: '',
    roles: 'system_user',
    props: {},
    last_password_update: 1,
    last_picture_update: 0,
    locale: 'en',
    mfa_active: false,
    last_activity_at: 0,
    is_bot: isBot,
    bot_description: '',
    terms_of_service_id: '',
    terms_of_service_create_at: 0,
  }
}

export function presentTeam({ id, name, displayName }: MattermostTeam): Team {
  return {
    id,
    create_at: 1,
    update_at: 1,
    delete_at: 0,
    display_name: displayName,
    name,
    description: '',
    email: '',
    type: 'O',
    company_name: '',
    allowed_domains: '',
    invite_id: '',
    allow_open_invite: false,
    scheme_id: '',
    group_constrained: false,
  }
}

export function presentChannel(channel: MattermostChannel): Channel {
  const { id, teamId, name, displayName, type, createdAt, deletedAt } = channel
  return {
    id,
    create_at: createdAt,
    update_at: createdAt,
    delete_at: deletedAt,
    team_id: teamId,
    type,
    display_name: displayName,
    name,
    header: '',
    purpose: '',
    last_post_at: 0,
    last_root_post_at: 0,
    creator_id: '',
    scheme_id: '',
    group_constrained: false,
  }
}

/** Presents a post. `pendingPostId`: only who has just made it is told. */
export function presentPost(post: MattermostPost, pendingPostId = ''): Post {
  return {
    id: post.id,
    create_at: post.createdAt,
    update_at: post.updatedAt,
    edit_at: post.editedAt,
    delete_at: post.deletedAt,
    is_pinned: false,
    user_id: post.userId,
    channel_id: post.channelId,
    root_id: post.rootId,
    original_id: post.originalId,
    message: post.message,
    type: '',
    props: { ...post.props },
    hashtags: '',
    pending_post_id: pendingPostId,
    reply_count: 0,
    metadata: { embeds: [], emojis: [], files: [], images: {} },
  }
}
