import { keyOf, type Command } from './commands.ts'
import { matchCommands } from './match-commands.ts'

interface Sources {
  readonly recent: readonly Command[]
  readonly actions: readonly Command[]
  readonly screens: readonly Command[]
  /** What the server found. */
  readonly found: readonly Command[]
}

/**
 * What the palette offers: without a query what was looked at last, then everything else; with one whatever matches, what
 * is here before what the server found. An address stands once.
 */
export function listCommands(
  query: string,
  { recent, actions, screens, found }: Sources,
): readonly Command[] {
  const offered =
    query.trim() === ''
      ? [...recent, ...actions, ...screens]
      : [...matchCommands([...recent, ...screens, ...actions], query), ...found]
  const seen = new Set<string>()
  return offered.filter((command) => {
    const target = typeof command.does === 'string' ? command.does : keyOf(command)
    if (seen.has(target)) return false
    seen.add(target)
    return true
  })
}
