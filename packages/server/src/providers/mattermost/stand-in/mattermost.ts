import type { Clock } from '../../../../../sandbox/src/clock.ts'
import { html, redirect } from '../../../../../sandbox/src/http/answers.ts'
import { markup, renderPage } from '../../../../../sandbox/src/http/page.ts'
import type { Provider } from '../../../../../sandbox/src/http/provider.ts'
import { route, type Answer } from '../../../../../sandbox/src/http/route.ts'
import { createApiRoutes } from './api-routes.ts'
import { refuse } from './errors.ts'
import { createChannelPages } from './page/channel-pages.ts'
import { deletePost } from './post-routes.ts'
import {
  addChannel,
  addPost,
  channelNamed,
  createMattermostState,
  type MattermostPost,
  type MattermostSettings,
  type MattermostState,
} from './state.ts'

/** Begins every path of the pretended Mattermost. */
export const mattermostPath = '/mattermost'

/**
 * Describes the pretended Mattermost: the teams `Acme`, `Platform` and `Board`, a bot in the first two, and a person in all. Channels
 * go by their display names: `Town Square`, `Deployments`, `Releases` (private, without the bot), `Old` (archived), `Incidents`
 * (private, with the bot), `Infra`, and `Minutes` of the board.
 */
export interface Mattermost extends Provider, MattermostSettings {
  readonly name: 'mattermost'
  /** Holds the token of the bot. It comes back with a reset. */
  readonly botToken: string
  /** Holds a token of a person. */
  readonly personToken: string
  channelId(channel: string): string
  /** Adds a channel to the first team. Returns its id. */
  addChannel(channel: { readonly name: string; readonly isPrivate?: boolean }): string
  /** Adds the bot to a channel, or takes it out. */
  setMember(channel: string, isMember: boolean): void
  archive(channel: string): void
  /** Takes the bot's right to post in a channel. */
  setReadOnly(channel: string, isReadOnly: boolean): void
  /** Posts a message as a person. Returns its id. */
  say(channel: string, message: string): string
  /** Deletes a message as a person. */
  deleteMessage(id: string): void
  /** Deletes the token of the bot, as an administrator does. */
  deleteToken(): void
  /** Takes the bot out of every team. */
  leaveTeams(): void
  /** Disables the bot. */
  disableBot(): void
  /** Makes every node say for thirty seconds that it is still saving a pending post. */
  holdPending(pendingPostId: string): void
  /** Makes every node forget its pending posts, as after thirty seconds or a restart. */
  forgetPending(): void
  /** Returns the messages of the channel that are there, oldest first. */
  messages(channel: string): readonly MattermostPost[]
}

/** Creates the pretended Mattermost. */
export function createMattermost({ clock }: { readonly clock: Clock }): Mattermost {
  const state = createMattermostState(clock)
  const named = (channel: string) => channelNamed(state, channel)
  const provider = {
    name: 'mattermost',
    botToken: state.issued.bot,
    personToken: state.issued.ada,
    mounts: createMounts(state),
    channelId: (channel) => named(channel).id,
    addChannel(channel) {
      const [team] = state.teams.values()
      if (team === undefined) throw new Error('The pretended Mattermost has lost its teams')
      return addChannel(state, team, channel).id
    },
    setMember(channel, isMember) {
      const { members } = named(channel)
      if (isMember) members.add(state.bot.id)
      else members.delete(state.bot.id)
    },
    archive: (channel) => void Object.assign(named(channel), { deletedAt: clock.now().getTime() }),
    setReadOnly: (channel, isReadOnly) => void Object.assign(named(channel), { isReadOnly }),
    say: (channel, message) =>
      addPost(state, {
        userId: state.ada.id,
        channelId: named(channel).id,
        rootId: '',
        message,
        props: {},
      }).id,
    deleteMessage(id) {
      const post = state.posts.get(id)
      if (post === undefined) throw new Error(`The pretended Mattermost has no post ${id}`)
      deletePost(state, post)
    },
    deleteToken: () => void state.tokens.delete(state.issued.bot),
    leaveTeams() {
      for (const { members } of state.teams.values()) members.delete(state.bot.id)
    },
    disableBot: () => void Object.assign(state.bot, { deletedAt: clock.now().getTime() }),
    holdPending(pendingPostId) {
      const until = clock.now().getTime() + 30_000
      for (let node = 0; node < state.settings.nodes; node += 1) {
        state.nextNode().set(pendingPostId, { postId: '', until })
      }
    },
    forgetPending: () => state.forgetPending(),
    messages: (channel) =>
      [...state.posts.values()].filter(
        ({ channelId, deletedAt }) => channelId === named(channel).id && deletedAt === 0,
      ),
    reset: () => state.reset(),
  } satisfies Omit<Mattermost, keyof MattermostSettings>
  // Shares the settings with the routes, without copying them.
  return Object.assign(state.settings, provider)
}

function createMounts(state: MattermostState): Provider['mounts'] {
  return [
    {
      prefix: `${mattermostPath}/api/v4`,
      routes: createApiRoutes(state),
      unknown: () => refuse(404, 'api.context.404.app_error', 'We could not find the page.'),
    },
    {
      prefix: `${mattermostPath}/channels`,
      routes: createChannelPages(state),
      unknown: nothingHere,
      isForWatching: true,
    },
    {
      prefix: mattermostPath,
      routes: [
        route('GET /_redirect/pl/:post', ({ params, origin }) => {
          const post = state.posts.get(params['post'] ?? '')
          const base = `${origin}${mattermostPath}/channels`
          return post === undefined
            ? nothingHere()
            : redirect(`${base}/${post.channelId}#p${post.id}`)
        }),
      ],
      unknown: nothingHere,
    },
  ]
}

function nothingHere(): Answer {
  return html(renderPage('Mattermost: nothing here', markup``), 404)
}
