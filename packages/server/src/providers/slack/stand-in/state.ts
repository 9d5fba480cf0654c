import { randomBytes, randomInt } from 'node:crypto'
import type { MessageMetadata } from '@slack/types'
import type { SlackBlock } from './blocks/slack-block.ts'
import type { Clock } from '../../../../../sandbox/src/clock.ts'

/** Describes the Slack app that stands for the product. It survives `reset()`, because the product is configured with it. */
export interface SlackApp {
  readonly id: string
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  /** Holds the secret that signs events. */
  readonly signingSecret: string
  /** Sent with every event. Slack calls it deprecated and still sends it. */
  readonly verificationToken: string
  /** Lists the redirect addresses. Addresses below one of them are allowed too, as with Slack. */
  redirectUris: string[]
  /** Holds the address of events. `undefined`: none are sent. Set with `slack.setEventsUrl`. */
  eventsUrl: string | undefined
}

/** Describes the settings. These values are those after a reset. */
export interface SlackSettings {
  /** Turns token rotation on. Off: tokens never expire. On: twelve hours, and a refresh token that works once. */
  rotation: boolean
  /** Says whether the app has PKCE, which makes it a public client. Off, as with every new app: `pkce_not_allowed`. */
  pkce: boolean
  /**
   * Says for how long after a message a second `chat.postMessage` with the same `client_msg_id` returns that message, in milliseconds. It
   * is unknown whether the real Slack does that, and for how long. `0`: never.
   */
  clientMsgIdWindowMs: number
  /** Says whether more than one message per second in a channel is answered with 429. */
  rateLimit: boolean
}

/** Describes a person of the workspace, or the bot. */
export interface SlackUser {
  readonly id: string
  readonly name: string
  readonly realName: string
  readonly email: string
  /** Example: `B0SIGNALBX`; people have none. */
  readonly botId: string | undefined
}

/** Describes an earlier version of a message. */
export interface SlackRevision {
  readonly text: string
  readonly blocks: readonly SlackBlock[] | undefined
  /** Holds the time of writing, not of the replacement. */
  readonly at: Date
}

/** Describes a message with its revisions and reactions. */
export interface SlackMessage {
  /** Holds the id in its channel: seconds and microseconds. Example: `1760000000.000100`. */
  readonly ts: string
  readonly author: SlackUser
  text: string
  blocks: readonly SlackBlock[] | undefined
  metadata: MessageMetadata | undefined
  readonly clientMsgId: string | undefined
  /** Holds the `ts` of the message that this one replies to. */
  readonly threadTs: string | undefined
  /** Says whether a reply is shown in the channel as well. */
  broadcast: boolean
  /** Holds the time of its current text. */
  writtenAt: Date
  /** Oldest first. */
  readonly revisions: SlackRevision[]
  /** Maps the name of an emoji to the ids of the users who reacted with it. */
  readonly reactions: Map<string, Set<string>>
  deleted: boolean
}

/** Lists the errors with which a workspace or its owner can forbid actions in a channel. */
export const postingErrors = [
  'access_denied',
  'app_access_restricted',
  'ekm_access_denied',
  'no_permission',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_non_threadable_channel',
  'restricted_action_thread_locked',
] as const
/** Lists the errors with which a workspace can forbid edits. */
export const editingErrors = ['edit_window_closed', 'cant_update_message'] as const

/** Names an error, such as `restricted_action`. */
export type ChannelError = (typeof postingErrors)[number] | (typeof editingErrors)[number]

/** Describes a channel. It keeps its id when its name changes. */
export interface SlackChannel {
  readonly id: string
  name: string
  readonly previousNames: string[]
  readonly isPrivate: boolean
  isArchived: boolean
  readonly createdAt: Date
  readonly creatorId: string
  /** Holds the ids of its members. */
  readonly members: Set<string>
  readonly rejections: Set<ChannelError>
  /** Maps `ts` to messages, oldest first, with the deleted ones. */
  readonly messages: Map<string, SlackMessage>
  lastPostAt: Date | undefined
}

/** Holds everything that the pretended Slack knows, except for the tokens. */
export interface SlackState {
  readonly clock: Clock
  readonly app: SlackApp
  readonly settings: SlackSettings
  readonly team: { readonly id: string; readonly name: string; readonly domain: string }
  readonly bot: SlackUser
  /** Maps ids to users, with the bot. */
  readonly users: Map<string, SlackUser>
  /** By id. */
  readonly channels: Map<string, SlackChannel>
  /** Returns a `ts` later than all that were issued. */
  nextTs(): string
  reset(): void
}

/** Describes a channel to add. */
export interface NewChannel {
  readonly name: string
  readonly isPrivate?: boolean
  readonly isArchived?: boolean
  /** Default: `ada` and `grace`, not the bot. */
  readonly members?: readonly SlackUser[]
}

const bot: SlackUser = {
  id: 'U0SIGNALBX',
  name: 'signalbox',
  realName: 'Signalbox',
  email: '',
  botId: 'B0SIGNALBX',
}
const ada = person('U0ADA00001', 'ada')
const grace = person('U0GRACE001', 'grace')

/** Lists the channels of the seed. */
const seed: readonly (NewChannel & { readonly id: string })[] = [
  { id: 'C0GENERAL1', name: 'general' },
  { id: 'C0DEPLOYS1', name: 'deployments' },
  { id: 'C0RELEASE1', name: 'releases', isPrivate: true },
  { id: 'C0OLD00001', name: 'old', isArchived: true },
]

const defaults: SlackSettings = {
  rotation: false,
  pkce: false,
  clientMsgIdWindowMs: 60_000,
  rateLimit: false,
}

/** Creates the seed: four channels, two people, and a bot that is in none of the channels. */
export function createSlackState(clock: Clock): SlackState {
  let lastMicros = 0
  const state: SlackState = {
    clock,
    app: createApp(),
    settings: { ...defaults },
    team: { id: 'T0ACME0001', name: 'Acme', domain: 'acme' },
    bot,
    users: new Map([bot, ada, grace].map((user) => [user.id, user])),
    channels: new Map(),
    nextTs() {
      lastMicros = Math.max(clock.now().getTime() * 1000, lastMicros + 1)
      return toTs(lastMicros)
    },
    reset() {
      Object.assign(state.settings, defaults)
      state.channels.clear()
      for (const { id, ...channel } of seed) addChannel(state, channel, id)
    },
  }
  state.reset()
  return state
}

/** Adds a channel. Default id: a new one. */
export function addChannel(
  { clock, channels }: SlackState,
  { name, isPrivate = false, isArchived = false, members = [ada, grace] }: NewChannel,
  id = newId('C'),
): SlackChannel {
  const channel: SlackChannel = {
    id,
    name,
    previousNames: [],
    isPrivate,
    isArchived,
    createdAt: clock.now(),
    creatorId: ada.id,
    members: new Set(members.map((member) => member.id)),
    rejections: new Set(),
    messages: new Map(),
    lastPostAt: undefined,
  }
  channels.set(id, channel)
  return channel
}

/** Returns the channel of this name. Throws when there is none: only tests look up by name. */
export function channelNamed({ channels }: SlackState, name: string): SlackChannel {
  const channel = [...channels.values()].find((channel) => channel.name === name)
  if (channel === undefined) throw new Error(`The pretended Slack has no channel ${name}`)
  return channel
}

/** Returns the user of this name. Throws when there is none. */
export function userNamed({ users }: SlackState, name: string): SlackUser {
  const user = [...users.values()].find((user) => user.name === name)
  if (user === undefined) throw new Error(`The pretended Slack has no user ${name}`)
  return user
}

/** Holds the person who visits the pages and authorizes the app. */
export const visitor = ada

function person(id: string, name: string): SlackUser {
  const realName = name.slice(0, 1).toUpperCase() + name.slice(1)
  return { id, name, realName, email: `${name}@acme.example`, botId: undefined }
}

function createApp(): SlackApp {
  return {
    id: 'A0SIGNALBX',
    name: 'Signalbox',
    clientId: `${randomInt(1e11, 1e12)}.${randomInt(1e11, 1e12)}`,
    clientSecret: randomBytes(16).toString('hex'),
    signingSecret: randomBytes(16).toString('hex'),
    verificationToken: randomBytes(12).toString('hex'),
    redirectUris: [],
    eventsUrl: undefined,
  }
}

const idLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Returns an id as Slack's: a letter for the kind and ten more characters. Example: `C0A1B2C3D4E`. */
export function newId(kind: 'C' | 'Ev'): string {
  return `${kind}0${Array.from({ length: 9 }, () => idLetters.charAt(randomInt(idLetters.length))).join('')}`
}

function toTs(micros: number): string {
  return `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`
}
