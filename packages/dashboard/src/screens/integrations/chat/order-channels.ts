import type { Channel } from './channel.ts'

/** Returns those that the bot is in first, archived ones last: the server shows them where somebody looks for one by its name. */
export function orderChannels(channels: readonly Channel[]): readonly Channel[] {
  return channels.toSorted(
    (a, b) =>
      Number(a.isArchived) - Number(b.isArchived) ||
      Number(b.isMember) - Number(a.isMember) ||
      a.name.localeCompare(b.name),
  )
}
