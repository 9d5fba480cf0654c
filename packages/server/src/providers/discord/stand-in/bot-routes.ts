import { empty, json } from '../../../../../sandbox/src/http/answers.ts'
import { readJson } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import type { ChannelCall } from './channel-call.ts'
import { changeMessage, listMessages, openThread, postMessage } from './messages.ts'
import { notFound, refuse, tooMany, unauthorized } from './errors.ts'
import { guildOf } from './guild-shape.ts'
import { channelOf, memberOf, ownUserOf, rolesOf, threadOf } from './shapes.ts'
import {
  findChannel,
  permission,
  type DiscordChannel,
  type DiscordGuild,
  type DiscordState,
  type DiscordOverwrite,
} from './state.ts'

type HandleChannel = (call: ChannelCall) => Answer
type HandleGuild = (state: DiscordState, guild: DiscordGuild, request: SandboxRequest) => Answer

const channelCalls: Readonly<Record<string, HandleChannel>> = {
  'GET /channels/:channel': ({ state, guild, channel }) =>
    json(channel.type === 11 ? threadOf(state, guild, channel) : channelOf(guild, channel)),
  'GET /channels/:channel/messages': listMessages,
  'POST /channels/:channel/messages': postMessage,
  'PATCH /channels/:channel/messages/:message': changeMessage,
  'POST /channels/:channel/messages/:message/threads': openThread,
}

const guildCalls: Readonly<Record<string, HandleGuild>> = {
  'GET /guilds/:guild': (state, guild) => json(guildOf(state, guild)),
  'GET /guilds/:guild/roles': (_, guild) => json(rolesOf(guild)),
  'GET /guilds/:guild/channels': (state, guild) =>
    json(
      [...guild.channels.values()]
        .filter(({ type }) => type !== 11)
        .filter((channel) => isListed(state, guild, channel))
        .map((channel) => channelOf(guild, channel)),
    ),
  'GET /guilds/:guild/members/:user': (state, guild, { params }) =>
    params['user'] === state.app.id ? json(memberOf(state, guild)) : refuse(10_007),
}

function isListed(state: DiscordState, guild: DiscordGuild, channel: DiscordChannel): boolean {
  const isVisible = (rightsOfBot(state, guild, channel) & permission.viewChannel) !== 0n
  return isVisible || state.settings.listsHiddenChannels
}

/** Creates the routes that the bot calls. Each wants its token and a name of the client. */
export function createBotRoutes(state: DiscordState): readonly Route[] {
  const limit = createLimit(state)
  const withBot =
    (handle: (request: SandboxRequest) => Answer) =>
    (request: SandboxRequest): Answer => {
      const { headers } = request
      if (!/^DiscordBot \(\S+, \S+\)/.test(headers['user-agent'] ?? '')) return refuse(40_333)
      const isKnown = headers['authorization'] === `Bot ${state.app.botToken}`
      if (!isKnown || !state.settings.acceptsBotToken) return unauthorized()
      return limit(request) ?? handle(request)
    }
  return [
    route(
      'GET /users/@me',
      withBot(() => json(ownUserOf(state))),
    ),
    route(
      'DELETE /users/@me/guilds/:guild',
      withBot(({ params }) => {
        const guild = state.guilds.get(params['guild'] ?? '')
        if (guild?.botRoles === undefined) return refuse(10_004)
        guild.botRoles = undefined
        return empty()
      }),
    ),
    ...Object.entries(guildCalls).map(([at, handle]) =>
      route(
        at,
        withBot((request) => callGuild(state, request, handle)),
      ),
    ),
    ...Object.entries(channelCalls).map(([at, handle]) =>
      route(
        at,
        withBot((request) => callChannel(state, request, handle)),
      ),
    ),
  ]
}

function callGuild(state: DiscordState, request: SandboxRequest, handle: HandleGuild): Answer {
  const guild = state.guilds.get(request.params['guild'] ?? '')
  if (guild === undefined) return refuse(10_004)
  // A bot that is not in a server sees none.
  return guild.botRoles === undefined ? refuse(10_004) : handle(state, guild, request)
}

function callChannel(state: DiscordState, request: SandboxRequest, handle: HandleChannel): Answer {
  const id = request.params['channel'] ?? ''
  if (!/^\d{1,20}$/.test(id)) return notFound()
  const match = findChannel(state, id)
  if (match === undefined) return refuse(10_003)
  const { guild, channel } = match
  const rights = rightsOfBot(state, guild, channel)
  if ((rights & permission.viewChannel) === 0n) return refuse(50_001)
  return handle({ state, guild, channel, rights, request, body: readJson(request) })
}

/** Creates the limit of five calls in five seconds for each route of a channel or a server. */
function createLimit({ clock, settings }: DiscordState) {
  const calls = new Map<string, number[]>()
  return ({ method, path }: SandboxRequest): Answer | undefined => {
    if (!settings.rateLimit) return undefined
    const route = `${method} ${path.replaceAll(/(?<=\/messages\/)\d+/g, ':id')}`
    const now = clock.now().getTime()
    const recent = (calls.get(route) ?? []).filter((at) => at > now - 5_000)
    if (recent.length >= 5) return tooMany(((recent[0] ?? now) + 5_000 - now) / 1_000)
    calls.set(route, [...recent, now])
    return undefined
  }
}

const everything = ~0n

/**
 * Returns what the bot may do in a channel, as bits. A thread has the rights of its channel.
 *
 * @see https://docs.discord.com/developers/topics/permissions#permission-overwrites
 */
function rightsOfBot(
  { app }: Pick<DiscordState, 'app'>,
  guild: DiscordGuild,
  channel: DiscordChannel,
): bigint {
  const { botRoles, roles, channels } = guild
  if (botRoles === undefined) return 0n
  const parent = channel.parentId === undefined ? undefined : channels.get(channel.parentId)
  const { overwrites } = parent ?? channel
  const everybody = new Set([guild.id])
  const own = new Set(botRoles)
  const base = [guild.id, ...botRoles].reduce(
    (all, id) => all | (roles.get(id)?.permissions ?? 0n),
    0n,
  )
  if ((base & permission.administrator) !== 0n) return everything
  const groups = [
    overwrites.filter(({ id }) => everybody.has(id)),
    overwrites.filter(({ id, type }) => type === 0 && own.has(id)),
    overwrites.filter(({ id, type }) => type === 1 && id === app.id),
  ]
  const rights = groups.reduce(applyAll, base)
  return (rights & permission.viewChannel) === 0n ? 0n : rights
}

/** Applies the exceptions of a step: what any of them denies goes, and then what any allows comes. */
function applyAll(before: bigint, group: readonly DiscordOverwrite[]): bigint {
  const deny = group.reduce((all, each) => all | each.deny, 0n)
  const allow = group.reduce((all, each) => all | each.allow, 0n)
  return (before & ~deny) | allow
}
