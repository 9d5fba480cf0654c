import type { Command, RouteMap } from '@stricli/core'
import type { CliContext } from './cli-context.ts'
import { type CommandTarget, routes } from './routes.ts'

/** Maps words to their commands and groups. */
export type Targets = Readonly<Record<string, CommandTarget>>

/** Lists the words of all commands. */
export const commandWords: readonly string[] = Object.keys(routes)

/** Loads the command that a word names, or all of them where it names none. */
export async function loadTargets(word = ''): Promise<Targets> {
  const named = Object.entries(routes).filter(([name]) => name === word)
  const chosen = named.length > 0 ? named : Object.entries(routes)
  return Object.fromEntries(
    await Promise.all(chosen.map(async ([name, load]) => [name, await load()] as const)),
  )
}

/** Returns whether a target is a group of commands. */
export function isGroup(target: CommandTarget | undefined): target is RouteMap<CliContext> {
  return target !== undefined && 'getAllEntries' in target
}

/** Returns the command that the words name. The subcommand of a group may stand anywhere behind it, or be its default. */
export function findCommand(
  targets: Targets,
  [first = '', ...others]: readonly string[],
): Command<CliContext> | undefined {
  const target = targets[first]
  const command = isGroup(target)
    ? (others.map((word) => target.getRoutingTargetForInput(word)).find((each) => each) ??
      target.getDefaultCommand())
    : target
  return isGroup(command) ? undefined : command
}

/** Converts a flag from the code's spelling (`dryRun`) to the typed one (`dry-run`). */
export function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
