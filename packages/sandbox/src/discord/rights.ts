import {
  permission,
  type DiscordChannel,
  type DiscordGuild,
  type DiscordOverwrite,
  type DiscordState,
} from './state.ts'

const everything = ~0n

/**
 * Returns what the bot may do in a channel, as bits. A thread has the rights of its channel.
 *
 * @see https://docs.discord.com/developers/topics/permissions#permission-overwrites
 */
export function rightsOfBot(
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
