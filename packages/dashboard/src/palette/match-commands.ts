import type { Command } from './commands.ts'

/** Those whose label has all letters of the query in their order; whole words at the front first. */
export function matchCommands(commands: readonly Command[], query: string): readonly Command[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return commands
  return commands
    .map((command) => ({ command, distance: toDistance(command.label.toLowerCase(), wanted) }))
    .filter(({ distance }) => distance < Infinity)
    .sort((a, b) => a.distance - b.distance)
    .map(({ command }) => command)
}

function toDistance(label: string, wanted: string): number {
  const whole = label.indexOf(wanted)
  if (whole !== -1) return whole
  let at = -1
  for (const letter of wanted) {
    at = label.indexOf(letter, at + 1)
    if (at === -1) return Infinity
  }
  return label.length + at
}
