/** Lists the permissions that are asked for, by their bits, with what does not work without each. */
export const wantedPermissions = {
  VIEW_CHANNEL: {
    bit: 1n << 10n,
    cost: 'The bot sees only channels that allow it individually.',
  },
  SEND_MESSAGES: {
    bit: 1n << 11n,
    cost: 'The bot can’t send messages unless a channel allows it.',
  },
  EMBED_LINKS: { bit: 1n << 14n, cost: 'Messages arrive without their content.' },
  READ_MESSAGE_HISTORY: {
    bit: 1n << 16n,
    cost: 'Signalbox can’t look for a message whose answer was lost, so such a message waits for a person.',
  },
  CREATE_PUBLIC_THREADS: { bit: 1n << 35n, cost: 'Details can’t be posted in a thread.' },
  SEND_MESSAGES_IN_THREADS: { bit: 1n << 38n, cost: 'Details can’t be posted in a thread.' },
} as const

/** Names a permission that is asked for. */
export type WantedPermission = keyof typeof wantedPermissions

const names = Object.keys(wantedPermissions).filter(
  (name): name is WantedPermission => name in wantedPermissions,
)

/** Holds all of them as the number that the page of the authorization takes. */
export const permissionsInteger = names
  .reduce((sum, name) => sum | wantedPermissions[name].bit, 0n)
  .toString()

const administrator = 1n << 3n
const everything = (1n << 64n) - 1n

/** Describes a role of a server. */
export interface GuildRole {
  readonly id: string
  readonly permissions: string
}

/** Describes an exception of a channel, for a role (0) or a member (1). */
export interface Overwrite {
  readonly id: string
  readonly type: number
  readonly allow: string
  readonly deny: string
}

/** Describes who the bot is in a server. The role that everybody has is called as the server. */
export interface BotMember {
  readonly guildId: string
  readonly userId: string
  readonly roleIds: readonly string[]
  readonly roles: readonly GuildRole[]
}

/** Returns what the roles of the bot allow in the whole server, as bits. */
export function basePermissions({ guildId, roleIds, roles }: BotMember): bigint {
  const own = new Set([guildId, ...roleIds])
  const sum = roles
    .filter(({ id }) => own.has(id))
    .reduce((all, { permissions }) => all | BigInt(permissions), 0n)
  return (sum & administrator) === 0n ? sum : everything
}

/**
 * Returns what the bot may do in a channel, as bits: the exceptions for everybody, then for its roles, then for itself.
 *
 * @see https://docs.discord.com/developers/topics/permissions#permission-overwrites
 */
export function channelPermissions(member: BotMember, overwrites: readonly Overwrite[]): bigint {
  const base = basePermissions(member)
  if (base === everything) return everything
  const { guildId, userId, roleIds } = member
  const own = new Set(roleIds)
  const groups = [
    overwrites.filter(({ id }) => id === guildId),
    overwrites.filter(({ id, type }) => type === 0 && id !== guildId && own.has(id)),
    overwrites.filter(({ id, type }) => type === 1 && id === userId),
  ]
  const rights = groups.reduce((before, group) => apply(before, group), base)
  // Without a look at the channel, nothing else counts.
  return has(rights, 'VIEW_CHANNEL') ? rights : 0n
}

function apply(before: bigint, group: readonly Overwrite[]): bigint {
  const deny = group.reduce((all, of) => all | BigInt(of.deny), 0n)
  const allow = group.reduce((all, of) => all | BigInt(of.allow), 0n)
  return (before & ~deny) | allow
}

/** Returns whether everybody in the server sees a channel. */
export function isOpenToAll(
  { guildId, roles }: Pick<BotMember, 'guildId' | 'roles'>,
  overwrites: readonly Overwrite[],
): boolean {
  const everybody = { guildId, userId: '', roleIds: [], roles }
  return has(channelPermissions(everybody, overwrites), 'VIEW_CHANNEL')
}

/** Returns whether a permission is among the bits. */
export function has(rights: bigint, name: WantedPermission): boolean {
  return (rights & wantedPermissions[name].bit) !== 0n
}

/** Returns the names of the permissions that are among the bits. */
export function namesOf(rights: bigint): WantedPermission[] {
  return names.filter((name) => has(rights, name))
}
