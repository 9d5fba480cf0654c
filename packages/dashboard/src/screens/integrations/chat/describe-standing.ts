import type { Channel } from './channel.ts'

type Standing = Pick<Channel, 'isArchived' | 'isMember' | 'isPrivate' | 'obstacle' | 'reach'>

/** Says in a few words whether messages reach a channel. */
export function describeStanding(of: Standing): string | undefined {
  return findObstacle(of) ?? of.reach ?? (of.isMember ? 'the bot is in it' : undefined)
}

/** Says in a few words what keeps messages out of a channel; `undefined`: nothing that is known. */
export function findObstacle({
  isArchived,
  isMember,
  isPrivate,
  obstacle,
}: Omit<Standing, 'reach'>): string | undefined {
  if (isArchived) return 'archived'
  if (obstacle !== null) return obstacle
  return isPrivate && !isMember ? 'invite the bot first' : undefined
}
