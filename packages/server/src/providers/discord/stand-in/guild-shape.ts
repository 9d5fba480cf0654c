import type { APIGuild } from 'discord-api-types/v10'
import { rolesOf } from './shapes.ts'
import type { DiscordGuild, DiscordState } from './state.ts'

/** Returns a server as the API shows it. Only its name and its roles are pretended. */
export function guildOf(
  { app }: Pick<DiscordState, 'app'>,
  guild: DiscordGuild,
): Partial<Record<keyof APIGuild, unknown>> {
  return {
    id: guild.id,
    name: guild.name,
    owner_id: app.id,
    application_id: null,
    roles: rolesOf(guild),
    features: [],
    emojis: [],
    stickers: [],
    ...pictures,
    ...channels,
    ...levels,
  } satisfies Partial<Record<keyof APIGuild, unknown>>
}

const pictures = {
  icon: null,
  description: null,
  home_header: null,
  splash: null,
  discovery_splash: null,
  banner: null,
  vanity_url_code: null,
} as const

const channels = {
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_id: null,
  system_channel_flags: 0,
  widget_enabled: false,
  widget_channel_id: null,
  rules_channel_id: null,
  safety_alerts_channel_id: null,
  public_updates_channel_id: null,
} as const

const levels = {
  region: 'deprecated',
  preferred_locale: 'en-US',
  verification_level: 0,
  default_message_notifications: 0,
  mfa_level: 0,
  explicit_content_filter: 0,
  nsfw: false,
  nsfw_level: 0,
  max_presences: null,
  max_members: 500_000,
  max_stage_video_channel_users: 50,
  max_video_channel_users: 25,
  premium_tier: 0,
  premium_subscription_count: 0,
  premium_progress_bar_enabled: false,
  incidents_data: null,
} as const
