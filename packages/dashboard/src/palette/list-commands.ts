import { keyOf, type Command } from './commands.ts'
import { matchCommands } from './match-commands.ts'

interface Sources {
  readonly recent: readonly Command[]
  readonly actions: readonly Command[]
  readonly screens: readonly Command[]
  /** Lists the server's results. */
  readonly results: readonly Command[]
}

/**
 * Returns the entries of the palette: without a query the recent pages, the screens, and last the actions; with one all
 * matches, local ones before the server's results. Each address appears once. Entries of a kind are next to each other, in
 * the order of the best entry of each kind. The first entry is preselected, so no action is first until somebody types its
 * name.
 */
export function listCommands(
  query: string,
  { recent, actions, screens, results }: Sources,
): readonly Command[] {
  const offered =
    query.trim() === ''
      ? [...recent, ...screens, ...actions]
      : [...matchCommands([...recent, ...screens, ...actions], query), ...results]
  const keys = new Set<string>()
  const commands = offered.filter((command) => {
    const target = typeof command.does === 'string' ? command.does : keyOf(command)
    if (keys.has(target)) return false
    keys.add(target)
    return true
  })
  return [...Map.groupBy(commands, ({ kind }) => kind).values()].flat()
}
