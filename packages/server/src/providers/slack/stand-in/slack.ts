import type { Clock } from '../../../../../sandbox/src/clock.ts'
import { html } from '../../../../../sandbox/src/http/answers.ts'
import { markup, renderPage } from '../../../../../sandbox/src/http/page.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'
import { createAuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import type { Provider } from '../../../../../sandbox/src/http/provider.ts'
import { createApiRoutes, unknownMethod } from './api-routes.ts'
import { createAuthorizeRoutes } from './authorize-routes.ts'
import { createChannelEvents } from './channel-events.ts'
import { createSlackEvents } from './events.ts'
import type { ProtectedChange, SlackParts } from './method.ts'
import { addMessage } from './methods/post-message.ts'
import { uninstallApp } from './methods/workspace.ts'
import { createChannelPages } from './page/channel-pages.ts'
import {
  addChannel,
  channelNamed,
  createSlackState,
  userNamed,
  type ChannelError,
  type SlackApp,
  type SlackSettings,
  type SlackChannel,
  type SlackMessage,
  type SlackRevision,
} from './state.ts'
import { createSlackTokens } from './tokens.ts'
import type { MessageMetadata } from '@slack/types'
import type { SlackBlock } from './blocks/slack-block.ts'

/**
 * Describes the pretended Slack: one workspace, `Acme`, and one app. Channels and people go by name: `general`,
 * `deployments`, `releases` (private, without the bot), `old` (archived); `ada`, `grace`, and the bot `signalbox`.
 */
export interface Slack extends Provider, SlackSettings {
  readonly name: 'slack'
  readonly app: SlackApp
  /** Sets the address of events. Throws when it does not answer the challenge, and for an address of another machine. */
  setEventsUrl(url: string | undefined): Promise<void>
  /** Returns the id of the new channel. */
  addChannel(channel: { readonly name: string; readonly isPrivate?: boolean }): string
  channelId(channel: string): string
  /** Lists all channels, archived ones too. */
  channels(): readonly { readonly id: string; readonly name: string }[]
  /** Without `user`: the bot. */
  invite(channel: string, user?: string): void
  /** Without `user`: the bot. */
  kick(channel: string, user?: string): void
  archive(channel: string): void
  rename(channel: string, name: string): void
  /** Posts a message as a person. Returns its `ts`. */
  say(channel: string, user: string, text: string): string
  /** Deletes a message as a person. */
  deleteMessage(channel: string, ts: string): void
  /** Makes the channel refuse posts with this error from now on. `undefined`: it refuses nothing any more. */
  refuse(channel: string, rejection: ChannelError | undefined): void
  /** Removes the app from the workspace as a person. */
  uninstall(): void
  /** Expires every token now. Without rotation no token ever expires. */
  expireTokens(): void
  /** Returns the messages of the channel, oldest first. */
  messages(channel: string): readonly SlackMessageView[]
}

/** Creates the pretended Slack without the app installed. The client's id and secret are new each time. */
export function createSlack({ clock }: { readonly clock: Clock }): Slack {
  const state = createSlackState(clock)
  const tokens = createSlackTokens(state)
  const events = createSlackEvents(state)
  const codes = createAuthorizationCodes<ProtectedChange>(clock)
  const parts = { state, tokens, events, codes }
  const provider = {
    name: 'slack',
    app: state.app,
    mounts: [
      {
        prefix: '/slack',
        routes: createAuthorizeRoutes(parts),
        unknown: nothingHere,
      },
      {
        prefix: '/slack/channels',
        routes: createChannelPages(state),
        unknown: nothingHere,
        isForWatching: true,
      },
      { prefix: '/slack/api', routes: createApiRoutes(parts), unknown: unknownMethod },
    ],
    setEventsUrl: (url: string | undefined) => events.setUrl(url),
    ...createPersonActions(parts),
    reset() {
      for (const part of [state, tokens, events, codes]) part.reset()
    },
  } as const
  // Shares the settings with the methods, without copying them.
  return Object.assign(state.settings, provider)
}

type PersonActions = Omit<Slack, keyof Provider | keyof SlackSettings | 'app' | 'setEventsUrl'>

/** Returns the actions of people. */
function createPersonActions(parts: SlackParts): PersonActions {
  const { state, tokens } = parts
  const channelEvents = createChannelEvents(parts)
  const named = (channel: string) => channelNamed(state, channel)
  return {
    addChannel: (channel) => addChannel(state, channel).id,
    channelId: (channel) => named(channel).id,
    channels: () => [...state.channels.values()].map(({ id, name }) => ({ id, name })),
    invite(channel, user = state.bot.name) {
      const [to, who] = [named(channel), userNamed(state, user)]
      if (to.members.has(who.id)) return
      to.members.add(who.id)
      channelEvents.recordJoin(to, who)
    },
    kick(channel, user = state.bot.name) {
      const [from, who] = [named(channel), userNamed(state, user)]
      if (from.members.delete(who.id)) channelEvents.left(from, who)
    },
    archive(channel) {
      const archived = named(channel)
      archived.isArchived = true
      channelEvents.archived(archived)
    },
    rename(channel, name) {
      const renamed = named(channel)
      renamed.previousNames.push(renamed.name)
      renamed.name = name
      channelEvents.renamed(renamed)
    },
    say: (channel, user, text) =>
      addMessage(state, named(channel), {
        author: userNamed(state, user),
        text,
        blocks: undefined,
        metadata: undefined,
        clientMsgId: undefined,
        threadTs: undefined,
        broadcast: false,
      }).ts,
    deleteMessage(channel, ts) {
      const message = named(channel).messages.get(ts)
      if (message === undefined) throw new Error(`#${channel} has no message ${ts}`)
      message.deleted = true
    },
    refuse(channel, rejection) {
      const { rejections } = named(channel)
      rejections.clear()
      if (rejection !== undefined) rejections.add(rejection)
    },
    uninstall: () => uninstallApp(parts),
    expireTokens: () => tokens.expireAll(),
    messages: (channel) => viewMessages(named(channel)),
  }
}

function nothingHere(): Answer {
  return html(renderPage('Slack: nothing here', markup``), 404)
}

/** Describes a message as tests see it. */
interface SlackMessageView {
  readonly ts: string
  /** Example: `signalbox`. */
  readonly author: string
  readonly text: string
  /** Holds the blocks as they were sent. */
  readonly blocks: readonly SlackBlock[] | undefined
  readonly editCount: number
  /** Lists the earlier versions of the message, oldest first. */
  readonly revisions: readonly SlackRevision[]
  /** Lists the replies, oldest first. */
  readonly thread: readonly SlackMessageView[]
  /** Says whether a reply is shown in the channel as well. */
  readonly broadcast: boolean
  readonly clientMsgId: string | undefined
  readonly metadata: MessageMetadata | undefined
}

/** Returns the messages of a channel, oldest first, each with its thread. Deleted messages and their replies are left out. */
function viewMessages({ messages }: SlackChannel): readonly SlackMessageView[] {
  const visibleMessages = [...messages.values()].filter(({ deleted }) => !deleted)
  const view = (message: SlackMessage): SlackMessageView => ({
    ts: message.ts,
    author: message.author.name,
    text: message.text,
    blocks: message.blocks,
    editCount: message.revisions.length,
    revisions: [...message.revisions],
    thread: visibleMessages.filter(({ threadTs }) => threadTs === message.ts).map(view),
    broadcast: message.broadcast,
    clientMsgId: message.clientMsgId,
    metadata: message.metadata,
  })
  return visibleMessages.filter(({ threadTs }) => threadTs === undefined).map(view)
}
