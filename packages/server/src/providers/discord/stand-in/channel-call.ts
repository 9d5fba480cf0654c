import type { SandboxRequest } from '../../../../../sandbox/src/http/route.ts'
import type { DiscordChannel, DiscordGuild, DiscordState } from './state.ts'

/** Holds a channel that a call is about, with what the bot may do in it. */
export interface ChannelCall {
  readonly state: DiscordState
  readonly guild: DiscordGuild
  readonly channel: DiscordChannel
  readonly rights: bigint
  readonly request: SandboxRequest
  readonly body: Readonly<Record<string, unknown>>
}
