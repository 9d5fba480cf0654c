import { randomInt } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'

/** Describes a person, or a bot. */
export interface MattermostUser {
  readonly id: string
  readonly username: string
  readonly isBot: boolean
  deletedAt: number
}

/** Describes a team. A channel is in one. */
export interface MattermostTeam {
  readonly id: string
  readonly name: string
  displayName: string
  /** Holds the ids of its members. */
  readonly members: Set<string>
}

/** Describes a channel. It keeps its id when its name changes. */
export interface MattermostChannel {
  readonly id: string
  readonly teamId: string
  readonly name: string
  displayName: string
  readonly type: 'O' | 'P'
  readonly createdAt: number
  deletedAt: number
  /** Holds the ids of its members. */
  readonly members: Set<string>
  /** Says that its role does not let the bot post. */
  isReadOnly: boolean
}

/** Describes a row of the table of posts: a post, or an earlier text of one. */
export interface MattermostPost {
  readonly id: string
  readonly createdAt: number
  updatedAt: number
  editedAt: number
  deletedAt: number
  readonly userId: string
  readonly channelId: string
  readonly rootId: string
  /** Names the post that this is an earlier text of; empty: none. */
  readonly originalId: string
  message: string
  props: Readonly<Record<string, unknown>>
}

/** Describes the settings of the server. These values are those after a reset. */
export interface MattermostSettings {
  /** Limits for how long a post may be edited, in seconds. -1: no limit. */
  postEditTimeLimit: number
  /** Counts the nodes of the server, which requests reach in turn. Each remembers pending posts by itself. */
  nodes: number
}

/** Describes a pending post as a node remembers it. `postId` is empty while it is being saved. */
interface PendingPost {
  postId: string
  readonly until: number
}

/** Holds everything that the pretended Mattermost knows. */
export interface MattermostState {
  readonly clock: Clock
  readonly settings: MattermostSettings
  readonly bot: MattermostUser
  readonly ada: MattermostUser
  readonly users: Map<string, MattermostUser>
  /** Maps tokens to the ids of their users. */
  readonly tokens: Map<string, string>
  /** Maps tokens of a bot and of a person; they come back with a reset. */
  readonly issued: { readonly bot: string; readonly ada: string }
  readonly teams: Map<string, MattermostTeam>
  readonly channels: Map<string, MattermostChannel>
  /** Holds posts and their earlier texts, oldest first. */
  readonly posts: Map<string, MattermostPost>
  /** Returns the node that the next request reaches. */
  nextNode(): Map<string, PendingPost>
  /** Makes every node forget its pending posts. */
  forgetPending(): void
  reset(): void
}

const letters = 'ybndrfg8ejkmcpqxot1uwisza345h769'

/** Returns an id as Mattermost's: 26 letters and digits. */
export function newId(): string {
  return Array.from({ length: 26 }, () => letters.charAt(randomInt(letters.length))).join('')
}

const defaults: MattermostSettings = { postEditTimeLimit: -1, nodes: 1 }

/** Creates the seed: the teams Acme, Platform and Board, of which the bot is in the first two, and a person in all. */
export function createMattermostState(clock: Clock): MattermostState {
  const bot: MattermostUser = { id: newId(), username: 'signalbox', isBot: true, deletedAt: 0 }
  const ada: MattermostUser = { id: newId(), username: 'ada', isBot: false, deletedAt: 0 }
  const issued = { bot: newId(), ada: newId() }
  let nodes: Map<string, PendingPost>[] = []
  let requests = 0
  const state: MattermostState = {
    clock,
    settings: { ...defaults },
    bot,
    ada,
    users: new Map([bot, ada].map((user) => [user.id, user])),
    tokens: new Map(),
    issued,
    teams: new Map(),
    channels: new Map(),
    posts: new Map(),
    nextNode() {
      const at = requests % state.settings.nodes
      requests += 1
      return (nodes[at] ??= new Map())
    },
    forgetPending() {
      nodes = []
    },
    reset() {
      Object.assign(state.settings, defaults)
      nodes = []
      requests = 0
      bot.deletedAt = 0
      for (const part of [state.tokens, state.teams, state.channels, state.posts]) part.clear()
      state.tokens.set(issued.bot, bot.id).set(issued.ada, ada.id)
      const acme = addTeam(state, 'Acme', [ada, bot])
      const platform = addTeam(state, 'Platform', [ada, bot])
      const board = addTeam(state, 'Board', [ada])
      addChannel(state, acme, { name: 'Town Square' }).members.add(bot.id)
      addChannel(state, acme, { name: 'Deployments' })
      addChannel(state, acme, { name: 'Releases', isPrivate: true })
      addChannel(state, acme, { name: 'Old' }).deletedAt = 1
      addChannel(state, platform, { name: 'Incidents', isPrivate: true }).members.add(bot.id)
      addChannel(state, platform, { name: 'Infra' })
      addChannel(state, board, { name: 'Minutes' })
    },
  }
  state.reset()
  return state
}

function addTeam(
  { teams }: MattermostState,
  displayName: string,
  members: readonly MattermostUser[],
): MattermostTeam {
  const team = { id: newId(), name: toName(displayName), displayName, members: new Set<string>() }
  for (const { id } of members) team.members.add(id)
  teams.set(team.id, team)
  return team
}

/** Adds a channel, of which the person is a member and the bot is not. */
export function addChannel(
  { channels, clock, ada }: MattermostState,
  { id: teamId }: MattermostTeam,
  { name, isPrivate = false }: { readonly name: string; readonly isPrivate?: boolean },
): MattermostChannel {
  const channel: MattermostChannel = {
    id: newId(),
    teamId,
    name: toName(name),
    displayName: name,
    type: isPrivate ? 'P' : 'O',
    createdAt: clock.now().getTime(),
    deletedAt: 0,
    members: new Set([ada.id]),
    isReadOnly: false,
  }
  channels.set(channel.id, channel)
  return channel
}

function toName(displayName: string): string {
  return displayName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

/** Returns the channel of this display name. Throws when there is none: only tests look up by name. */
export function channelNamed({ channels }: MattermostState, name: string): MattermostChannel {
  const channel = [...channels.values()].find(({ displayName }) => displayName === name)
  if (channel === undefined) throw new Error(`The pretended Mattermost has no channel ${name}`)
  return channel
}

/** Stores a new post. */
export function addPost(
  { posts, clock }: MattermostState,
  post: Pick<MattermostPost, 'userId' | 'channelId' | 'rootId' | 'message' | 'props'>,
): MattermostPost {
  const at = clock.now().getTime()
  const times = { createdAt: at, updatedAt: at, editedAt: 0, deletedAt: 0 }
  const added = { id: newId(), ...times, originalId: '', ...post }
  posts.set(added.id, added)
  return added
}

/** Changes a post. Its earlier text stays as a row of its own, deleted and with an id of its own. */
export function editPost(
  { posts, clock }: MattermostState,
  post: MattermostPost,
  next: Partial<Pick<MattermostPost, 'message' | 'props'>>,
): void {
  const at = clock.now().getTime()
  const earlier = { ...post, id: newId(), originalId: post.id, updatedAt: at, deletedAt: at }
  posts.set(earlier.id, earlier)
  Object.assign(post, next, { updatedAt: at, editedAt: at })
}
