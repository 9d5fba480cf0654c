import { keyOf, type Command } from './commands.ts'
import { matchCommands } from './match-commands.ts'

interface Sources {
  readonly recent: readonly Command[]
  readonly actions: readonly Command[]
  readonly screens: readonly Command[]
  /** Lists the server's results. */
  readonly results: readonly Command[]
  /** Says whether the server may find more. */
  readonly isSearching: boolean
}

/**
 * Returns the entries of the palette: without a query the recent pages, the screens, and last the actions. With one: local
 * entries that contain it, the server's results, and then entries that merely have its letters in their order; those wait
 * for the server, so that Enter never chooses one in the place of what has that name. Each address appears once. Entries of a
 * kind are next to each other, in the order of the best entry of each kind. What has an effect comes last until somebody types
 * its whole name.
 */
export function listCommands(
  query: string,
  { recent, actions, screens, results, isSearching }: Sources,
): readonly Command[] {
  const needle = query.trim().toLowerCase()
  const matches = matchCommands([...recent, ...screens, ...actions], query)
  const isWhole = ({ label }: Command) => label.toLowerCase().includes(needle)
  const ranked =
    needle === ''
      ? [...recent, ...screens, ...actions]
      : [
          ...matches.filter(isWhole),
          ...results,
          ...(isSearching ? [] : matches.filter((match) => !isWhole(match))),
        ]
  const offered = [
    ...ranked.filter((command) => mayBeFirst(command, query)),
    ...ranked.filter((command) => !mayBeFirst(command, query)),
  ]
  const keys = new Set<string>()
  const commands = offered.filter((command) => {
    const target = typeof command.does === 'string' ? command.does : keyOf(command)
    if (keys.has(target)) return false
    keys.add(target)
    return true
  })
  return [...Map.groupBy(commands, ({ kind }) => kind).values()].flat()
}

/** Returns whether Enter may choose an entry that nobody moved to. An action is chosen only by its whole name. */
export function mayBeFirst({ label, hasEffect = false }: Command, query: string): boolean {
  return !hasEffect || label.toLowerCase() === query.trim().toLowerCase()
}
