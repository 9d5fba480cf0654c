import type { Clock } from '../../../../../sandbox/src/clock.ts'
import { html } from '../../../../../sandbox/src/http/answers.ts'
import { markup, renderPage } from '../../../../../sandbox/src/http/page.ts'
import type { Provider } from '../../../../../sandbox/src/http/provider.ts'
import { createAuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import { createBotRoutes } from './bot-routes.ts'
import { notFound } from './errors.ts'
import { createDiscordEvents, type DiscordEvents } from './events.ts'
import { createAuthorizeRoutes, createTokenRoutes, type DiscordGrant } from './oauth-routes.ts'
import { createChannelPages } from './page/channel-pages.ts'
import {
  addChannel,
  addGuild,
  createDiscordState,
  type DiscordApp,
  type DiscordChannel,
  type DiscordGuild,
  type DiscordMessage,
  type DiscordSettings,
  type DiscordState,
} from './state.ts'

/**
 * Describes the pretended Discord: one server, `Acme`, and one application. Channels go by name: `general`, `deployments`,
 * `releases` (hidden from everybody), `read-only`, `Lounge` (voice), `announcements`.
 */
export interface Discord extends Provider, DiscordSettings {
  readonly name: 'discord'
  readonly app: DiscordApp
  readonly events: DiscordEvents
  /** Returns a server. Without a name: the first. */
  guild(name?: string): DiscordGuild
  addGuild(name: string): DiscordGuild
  addChannel(channel: Pick<DiscordChannel, 'name'>, guild?: DiscordGuild): string
  /** Returns a channel of the first server. */
  channel(name: string): DiscordChannel
  channelId(channel: string): string
  /** Posts a message as a person. Returns its id. */
  say(channel: string, text: string): string
  /** Deletes a message as a person. */
  deleteMessage(channel: string, id: string): void
  /** Removes the bot from a server as a person. */
  kick(guild?: DiscordGuild): void
  /** Returns the messages of a channel and of its threads that are not deleted, oldest first. */
  messages(channel: string): readonly DiscordMessage[]
  /** Forgets every nonce, as Discord does after some minutes. */
  forgetNonces(): void
  /** Says how many tokens of people still work. */
  personTokens(): number
}

/** Creates the pretended Discord without the bot in a server. The credentials are new each time. */
export function createDiscord({ clock }: { readonly clock: Clock }): Discord {
  const state = createDiscordState(clock)
  const codes = createAuthorizationCodes<DiscordGrant>(clock)
  const provider = {
    name: 'discord',
    app: state.app,
    events: createDiscordEvents(state),
    mounts: [
      { prefix: '/discord', routes: createAuthorizeRoutes({ state, codes }), unknown: nothingHere },
      {
        prefix: '/discord/channels',
        routes: createChannelPages(state),
        unknown: nothingHere,
        isForWatching: true,
      },
      {
        prefix: '/discord/api/v10',
        routes: [...createTokenRoutes({ state, codes }), ...createBotRoutes(state)],
        unknown: notFound,
      },
      // Without a version, Discord answers as one that is deprecated.
      { prefix: '/discord/api', routes: [], unknown: notFound },
    ],
    ...createPersonActions(state),
    reset() {
      for (const part of [state, codes]) part.reset()
    },
  } as const
  // Shares the settings with the routes, without copying them.
  return Object.assign(state.settings, provider)
}

function nothingHere() {
  return html(renderPage('Discord: nothing here', markup``), 404)
}

type PersonActions = Omit<Discord, keyof Provider | keyof DiscordSettings | 'app' | 'events'>

/** Returns the actions of people. */
function createPersonActions(state: DiscordState): PersonActions {
  const first = () => {
    const [guild] = state.guilds.values()
    if (guild === undefined) throw new Error('There is no server')
    return guild
  }
  const named = (name: string) => {
    const match = [...first().channels.values()].find((channel) => channel.name === name)
    if (match === undefined) throw new Error(`There is no channel ${name}`)
    return match
  }
  return {
    guild: (name?: string) =>
      [...state.guilds.values()].find((guild) => guild.name === name) ?? first(),
    addGuild: (name: string) => addGuild(state, name),
    addChannel: (channel: Pick<DiscordChannel, 'name'>, guild = first()) =>
      addChannel(state, guild, channel).id,
    channel: named,
    channelId: (channel: string) => named(channel).id,
    say(channel: string, text: string) {
      const id = state.newId()
      const to = named(channel)
      to.messages.set(id, {
        id,
        channelId: to.id,
        authorId: '80351110224678912',
        content: text,
        embeds: [],
        nonce: undefined,
        replyTo: undefined,
        editedAt: undefined,
        pinged: false,
        deleted: false,
        threadId: undefined,
        edits: 0,
      })
      return id
    },
    deleteMessage(channel: string, id: string) {
      const message = named(channel).messages.get(id)
      if (message === undefined) throw new Error(`${channel} has no message ${id}`)
      message.deleted = true
    },
    kick(guild = first()) {
      guild.botRoles = undefined
    },
    messages(channel: string) {
      const of = named(channel)
      const threads = [...first().channels.values()].filter(({ parentId }) => parentId === of.id)
      return [of, ...threads].flatMap(({ messages }) =>
        [...messages.values()].filter(({ deleted }) => !deleted),
      )
    },
    forgetNonces: () => void (state.noncesSinceMs = state.clock.now().getTime() + 1),
    personTokens: () => state.personTokens.size,
  }
}
