import type { Channel } from './channel-picker.tsx'

/** Those that the bot is in first, archived ones not at all. */
export function orderChannels(channels: readonly Channel[]): readonly Channel[] {
  return channels
    .filter(({ isArchived }) => !isArchived)
    .toSorted((a, b) => Number(b.isMember) - Number(a.isMember) || a.name.localeCompare(b.name))
}
