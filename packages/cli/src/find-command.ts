import type { Command, RouteMap } from '@stricli/core'
import type { CliContext } from './cli-context.ts'
import { routes } from './routes.ts'

/** Describes a command, or a group of commands. */
export type CommandTarget = Command<CliContext> | RouteMap<CliContext>

/** Maps a word to its command or group. */
export const targets: ReadonlyMap<string, CommandTarget> = new Map(
  Object.entries<CommandTarget>(routes),
)

/** Returns whether a target is a group of commands. */
export function isGroup(target: CommandTarget | undefined): target is RouteMap<CliContext> {
  return target !== undefined && 'getAllEntries' in target
}

/** Returns the command that the words name. The subcommand of a group may stand anywhere behind it, or be its default. */
export function findCommand([first = '', ...others]: readonly string[]):
  | Command<CliContext>
  | undefined {
  const target = targets.get(first)
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
