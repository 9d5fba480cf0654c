import { keyOf, type Command } from './commands.ts'
import { matchCommands } from './match-commands.ts'

interface Sources {
  readonly recent: readonly Command[]
  readonly actions: readonly Command[]
  readonly screens: readonly Command[]
  /** Holds what the server found. */
  readonly results: readonly Command[]
}

/**
 * Returns what the palette offers: without a query what was looked at last, then everything else; with one whatever matches, what
 * is here before what the server found. An address stands once.
 */
export function listCommands(
  query: string,
  { recent, actions, screens, results }: Sources,
): readonly Command[] {
  const offered =
    query.trim() === ''
      ? [...recent, ...actions, ...screens]
      : [...matchCommands([...recent, ...screens, ...actions], query), ...results]
  const keys = new Set<string>()
  return offered.filter((command) => {
    const target = typeof command.does === 'string' ? command.does : keyOf(command)
    if (keys.has(target)) return false
    keys.add(target)
    return true
  })
}
