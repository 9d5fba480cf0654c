import { generateKeyPairSync, randomBytes, randomInt, type KeyObject } from 'node:crypto'
import type { APIEmbed } from 'discord-api-types/v10'
import type { Clock } from '../../../../../sandbox/src/clock.ts'

/** Describes the Discord application that stands for the product. It survives `reset()`, because the product is configured with it. */
export interface DiscordApp {
  /** Also the id of its bot. */
  readonly id: string
  readonly name: string
  readonly clientSecret: string
  readonly botToken: string
  /** Holds the key that events are verified with, as 64 hexadecimal digits. */
  readonly publicKey: string
  readonly privateKey: KeyObject
  redirectUris: string[]
  /** Holds the address of webhook events. `undefined`: none are sent. */
  eventsUrl: string | undefined
}

/** Describes the settings. These values are those after a reset. */
export interface DiscordSettings {
  /** Says whether the application requires the code grant. Off: the answer of the token endpoint names no server. */
  requiresCodeGrant: boolean
  /** Says for how long a nonce is remembered, in milliseconds. Discord says "the past few minutes". */
  nonceWindowMs: number
  /** Says whether more than five calls in five seconds on a route of a channel are answered with 429. */
  rateLimit: boolean
  /** Says whether the list of channels has those that the bot may not see, as it had until the autumn of 2026. */
  listsHiddenChannels: boolean
  /** Says whether the token of the bot works. Off: somebody has reset it at Discord. */
  acceptsBotToken: boolean
}

/** Describes an exception of a channel, for a role (0) or a member (1). */
export interface DiscordOverwrite {
  readonly id: string
  readonly type: 0 | 1
  allow: bigint
  deny: bigint
}

export interface DiscordMessage {
  readonly id: string
  readonly channelId: string
  readonly authorId: string
  content: string
  embeds: readonly APIEmbed[]
  readonly nonce: string | undefined
  readonly replyTo: string | undefined
  editedAt: Date | undefined
  /** Says that an edit or the post would have notified people. */
  pinged: boolean
  deleted: boolean
  threadId: string | undefined
  edits: number
}

/** Describes a channel of text, of announcements or of voice, or a thread. */
export interface DiscordChannel {
  readonly id: string
  /** 0 text, 2 voice, 5 announcements, 11 a thread. */
  readonly type: 0 | 2 | 5 | 11
  name: string
  readonly position: number
  readonly parentId: string | undefined
  readonly overwrites: DiscordOverwrite[]
  readonly messages: Map<string, DiscordMessage>
  /** Holds the code that refuses every message, such as 200000 of AutoMod. */
  rejection: number | undefined
  isArchived: boolean
}

/** Describes a server of Discord, which its API calls a guild. */
export interface DiscordGuild {
  readonly id: string
  name: string
  /** Maps ids to the permissions of roles. The one that everybody has is called as the server. */
  readonly roles: Map<string, { readonly name: string; permissions: bigint }>
  readonly channels: Map<string, DiscordChannel>
  /** Holds the roles of the bot. `undefined`: the bot is not in it. */
  botRoles: string[] | undefined
}

/** Holds everything that the pretended Discord knows. */
export interface DiscordState {
  readonly clock: Clock
  readonly app: DiscordApp
  readonly settings: DiscordSettings
  readonly guilds: Map<string, DiscordGuild>
  /** Says since when nonces are remembered, in milliseconds: all before were forgotten. */
  noncesSinceMs: number
  /** Holds tokens of people, which end when they are revoked. */
  readonly personTokens: Set<string>
  newId(): string
  reset(): void
}

const defaults: DiscordSettings = {
  requiresCodeGrant: true,
  nonceWindowMs: 180_000,
  rateLimit: false,
  listsHiddenChannels: false,
  acceptsBotToken: true,
}
const epochMs = 1_420_070_400_000

/** Lists the bits of the permissions that are pretended. */
export const permission = {
  administrator: 1n << 3n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  embedLinks: 1n << 14n,
  readMessageHistory: 1n << 16n,
  mentionEveryone: 1n << 17n,
  createPublicThreads: 1n << 35n,
  sendMessagesInThreads: 1n << 38n,
} as const

/** Creates one server, `Acme`, with channels and without the bot. */
export function createDiscordState(clock: Clock): DiscordState {
  let lastId = 0n
  const newId = () => {
    const ofNow = BigInt(clock.now().getTime() - epochMs) << 22n
    lastId = ofNow > lastId ? ofNow : lastId + 1n
    return lastId.toString()
  }
  const guilds = new Map<string, DiscordGuild>()
  const settings: DiscordSettings = { ...defaults }
  const personTokens = new Set<string>()
  const app = createApp(newId())
  const state: DiscordState = {
    clock,
    app,
    settings,
    guilds,
    noncesSinceMs: 0,
    personTokens,
    newId,
    reset() {
      // Ids follow the time, which has gone back.
      lastId = 0n
      state.noncesSinceMs = 0
      Object.assign(settings, defaults)
      personTokens.clear()
      guilds.clear()
      seed(state)
    },
  }
  seed(state)
  return state
}

function createApp(id: string): DiscordApp {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'jwk' }).x ?? ''
  return {
    id,
    name: 'Signalbox',
    clientSecret: randomBytes(24).toString('base64url'),
    botToken: `${Buffer.from(id).toString('base64url')}.${randomBytes(5).toString('base64url').slice(0, 6)}.${randomBytes(28).toString('base64url')}`,
    publicKey: Buffer.from(raw, 'base64url').toString('hex'),
    privateKey,
    redirectUris: [],
    eventsUrl: undefined,
  }
}

function seed(state: DiscordState): void {
  const guild = addGuild(state, 'Acme')
  addChannel(state, guild, { name: 'general' })
  addChannel(state, guild, { name: 'deployments' })
  const hidden = addChannel(state, guild, { name: 'releases' })
  hidden.overwrites.push({ id: guild.id, type: 0, allow: 0n, deny: permission.viewChannel })
  const silent = addChannel(state, guild, { name: 'read-only' })
  silent.overwrites.push({ id: guild.id, type: 0, allow: 0n, deny: permission.sendMessages })
  addChannel(state, guild, { name: 'Lounge', type: 2 })
  addChannel(state, guild, { name: 'announcements', type: 5 })
}

/** Adds a server. Everybody in it may see channels, write and read. */
export function addGuild(state: DiscordState, name: string): DiscordGuild {
  const id = state.newId()
  const permissions =
    permission.viewChannel | permission.sendMessages | permission.readMessageHistory
  const guild: DiscordGuild = {
    id,
    name,
    roles: new Map([[id, { name: '@everyone', permissions }]]),
    channels: new Map(),
    botRoles: undefined,
  }
  state.guilds.set(id, guild)
  return guild
}

/** Adds a channel to a server. */
export function addChannel(
  state: DiscordState,
  guild: DiscordGuild,
  {
    name,
    type = 0,
    id = state.newId(),
    parentId,
  }: Pick<DiscordChannel, 'name'> & Partial<Pick<DiscordChannel, 'type' | 'id' | 'parentId'>>,
): DiscordChannel {
  const channel: DiscordChannel = {
    id,
    type,
    name,
    position: guild.channels.size,
    parentId,
    overwrites: [],
    messages: new Map(),
    rejection: undefined,
    isArchived: false,
  }
  guild.channels.set(id, channel)
  return channel
}

/** Adds the bot to a server, with a role of its own. */
export function addBot(state: DiscordState, guild: DiscordGuild, permissions: bigint): void {
  const roleId = state.newId()
  guild.roles.set(roleId, { name: state.app.name, permissions })
  guild.botRoles = [roleId]
}

/** Finds a channel in any server, with its server. */
export function findChannel(
  { guilds }: DiscordState,
  id: string,
): { readonly guild: DiscordGuild; readonly channel: DiscordChannel } | undefined {
  for (const guild of guilds.values()) {
    const channel = guild.channels.get(id)
    if (channel !== undefined) return { guild, channel }
  }
  return undefined
}

export function newPersonToken(): string {
  return randomBytes(22).toString('base64url') + String(randomInt(10))
}

/** Returns when a message was posted, by its id. */
export function postedAt({ id }: Pick<DiscordMessage, 'id'>): Date {
  return new Date(Number(BigInt(id) >> 22n) + epochMs)
}
