import { nearestName } from '@signalbox/contract'
import {
  AliasNotFoundError,
  ArgumentScannerError,
  FlagNotFoundError,
  formatMessageForArgumentScannerError,
  type RouteMap,
  UnexpectedPositionalError,
} from '@stricli/core'
import type { CliContext } from './cli-context.ts'
import { commandWords, findCommand, isGroup, type Targets, toKebab } from './find-command.ts'
import { globalFlags } from './hoist-global-flags.ts'
import { CliError } from './terminal/cli-error.ts'

/**
 * Returns the error for an unknown command, or for a flag in its place, with the most similar one. `group` is the command whose subcommands were
 * searched, and `word` its word.
 */
export function unknownCommand(input: string, group?: RouteMap<CliContext>, word = ''): CliError {
  if (group === undefined && input.startsWith('-')) return unknownFlag(input)
  const names = group === undefined ? commandWords : subcommandsOf(group)
  const prefix = group === undefined ? '' : `${word} `
  const near = nearestName(input, names)
  return new CliError('usage', 'unknown_command', `There is no command "${prefix}${input}".`, {
    advice:
      near === undefined ? `signalbox ${prefix}--help` : `Did you mean signalbox ${prefix}${near}?`,
  })
}

/** Returns the error for an unknown flag in the place of the command, with the most similar one. */
function unknownFlag(input: string): CliError {
  const near = nearestName(input, ['--help', '--version', ...globalFlags])
  return new CliError('usage', 'usage', `There is no flag ${input}.`, {
    advice: near === undefined ? 'signalbox --help' : `Did you mean ${near}?`,
  })
}

/** Returns the error of the arguments, with the probable correction. */
export function usageError(error: unknown, words: readonly string[], targets: Targets): CliError {
  if (error instanceof FlagNotFoundError && /^--?token$/.test(`--${error.input}`)) {
    return new CliError(
      'usage',
      'token_flag',
      "A token can't be a flag, because the process list would show it.",
      { advice: 'Use SIGNALBOX_TOKEN, --token-stdin, or: signalbox login' },
    )
  }
  if (error instanceof FlagNotFoundError && /^-*passphrase$/.test(error.input)) {
    return new CliError(
      'usage',
      'passphrase_flag',
      "A passphrase can't be a flag, because the process list would show it.",
      { advice: 'Use SIGNALBOX_PASSPHRASE, or SIGNALBOX_PASSPHRASE_FILE with the path of a file.' },
    )
  }
  const [first = '', ...others] = words
  const target = targets[first]
  if (error instanceof UnexpectedPositionalError && isGroup(target)) {
    const isNamed = others.some((word) => target.getRoutingTargetForInput(word) !== undefined)
    if (!isNamed) return unknownCommand(error.input, target, first)
  }
  return new CliError('usage', 'usage', toKebabFlags(messageOf(error)), {
    advice: adviceFor(error, words, targets),
  })
}

function messageOf(error: unknown): string {
  if (error instanceof ArgumentScannerError)
    return formatMessageForArgumentScannerError(error, {
      FlagNotFoundError: ({ input }) => `There is no flag --${input.replace(/^-+/, '')}.`,
      AliasNotFoundError: ({ input }) => `There is no flag -${input.replace(/^-+/, '')}.`,
    })
  return error instanceof Error ? error.message : String(error)
}

function adviceFor(error: unknown, words: readonly string[], targets: Targets): string {
  const isUnknownFlag = error instanceof FlagNotFoundError || error instanceof AliasNotFoundError
  if (isUnknownFlag && words[0] === 'run') {
    return 'Flags of the program go after --: signalbox run -- node --version'
  }
  const near =
    error instanceof FlagNotFoundError
      ? nearestName(error.input, flagsOf(words, targets))
      : undefined
  return near === undefined
    ? 'Add --help to see the flags of the command.'
    : `Did you mean --${near}?`
}

/** Returns the flags of the command that the words name, as people type them. */
function flagsOf(words: readonly string[], targets: Targets): string[] {
  return Object.keys(findCommand(targets, words)?.parameters.flags ?? {}).map(toKebab)
}

function subcommandsOf(group: RouteMap<CliContext>): string[] {
  return group.getAllEntries().map(({ name }) => name.original)
}

/** Stricli names flags as the code does (`--dryRun`); people type `--dry-run`. */
function toKebabFlags(message: string): string {
  return message.replaceAll(/--[a-z]+(?:[A-Z][a-z]+)+/g, toKebab)
}
