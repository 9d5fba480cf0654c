import type { Channel } from './channel.ts'

/** Sorts channels: those with the bot first, archived ones last. The server includes archived ones in a search by name. */
export function orderChannels(channels: readonly Channel[]): readonly Channel[] {
  return channels.toSorted(
    (a, b) =>
      Number(a.isArchived) - Number(b.isArchived) ||
      Number(b.isMember) - Number(a.isMember) ||
      a.name.localeCompare(b.name),
  )
}
