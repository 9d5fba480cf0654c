import type { Command } from './commands.ts'

/** Returns the commands whose label contains all letters of the query in order. Matches of whole words come first. */
export function matchCommands(commands: readonly Command[], query: string): readonly Command[] {
  const needle = query.trim().toLowerCase()
  if (needle === '') return commands
  return commands
    .map((command) => ({ command, distance: toDistance(command.label.toLowerCase(), needle) }))
    .filter(({ distance }) => distance < Infinity)
    .sort((a, b) => a.distance - b.distance)
    .map(({ command }) => command)
}

function toDistance(label: string, needle: string): number {
  const whole = label.indexOf(needle)
  if (whole !== -1) return whole
  let at = -1
  for (const letter of needle) {
    at = label.indexOf(letter, at + 1)
    if (at === -1) return Infinity
  }
  return label.length + at
}
