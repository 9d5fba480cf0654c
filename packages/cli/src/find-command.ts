import { buildCommand, type Command, type RouteMap } from '@stricli/core'
import { briefs } from './help/briefs.ts'
import type { CliContext } from './cli-context.ts'
import { type CommandTarget, routes } from './routes.ts'

/** Maps words to their commands and groups. */
export type Targets = Readonly<Record<string, CommandTarget>>

/** Lists the words of all commands. */
export const commandWords: readonly string[] = Object.keys(briefs)

/** Loads the command that a word names. Where it names none, nothing runs: all of them are there by name and brief alone. */
export async function loadTargets(word = ''): Promise<Targets> {
  const named = Object.entries(routes).find(([name]) => name === word)
  return named === undefined ? outlines() : { [word]: await named[1]() }
}

function outlines(): Targets {
  return Object.fromEntries(
    Object.entries(briefs).map(([word, brief]) => [
      word,
      buildCommand({ func: () => undefined, parameters: {}, docs: { brief } }),
    ]),
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
