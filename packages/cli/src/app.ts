import {
  AliasNotFoundError,
  type Application,
  ArgumentScannerError,
  buildApplication,
  buildRouteMap,
  FlagNotFoundError,
  formatMessageForArgumentScannerError,
  text_en,
} from '@stricli/core'
import type { CliContext } from './cli-context.ts'
import { routes } from './commands/routes.ts'
import { CliError } from './terminal/cli-error.ts'
import { renderError, renderErrorDocument } from './terminal/output.ts'
import { createStyles } from './terminal/styles.ts'
import { cliVersion } from './version.ts'

export interface AppOptions {
  /** Errors as one JSON document. */
  readonly json: boolean
  readonly color: boolean
  readonly verbose: boolean
  /** The first word given, with which a hint can be exact. */
  readonly command: string | undefined
}

/** The application: its commands, and how everything that goes wrong is said. */
export function createApp({ json, color, verbose, command }: AppOptions): Application<CliContext> {
  const styles = createStyles(color)
  const say = (error: unknown) => {
    const known = error instanceof CliError ? error : bug(error, verbose)
    return json ? renderErrorDocument(known) : renderError(known, styles)
  }
  return buildApplication(buildRouteMap({ routes, docs: docsOfAll }), {
    name: 'signalbox',
    versionInfo: { currentVersion: cliVersion() },
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation: {
      caseStyle: 'convert-camel-to-kebab',
      onlyRequiredInUsageLine: true,
      disableAnsiColor: !color,
    },
    determineExitCode: (error) => (error instanceof CliError ? error.exitCode : 1),
    localization: {
      text: {
        ...text_en,
        exceptionWhileParsingArguments: (error) => say(usageError(error, command)),
        exceptionWhileRunningCommand: (error) => say(error),
        exceptionWhileLoadingCommandFunction: (error) => say(error),
        exceptionWhileLoadingCommandContext: (error) => say(error),
        commandErrorResult: (error) => say(error),
        noCommandRegisteredForInput: ({ input, corrections }) =>
          say(unknownCommand(input, corrections)),
      },
    },
  })
}

const docsOfAll = {
  brief: 'Configuration and feature flags from your Signalbox server',
  fullDescription: [
    'Configuration and feature flags from your Signalbox server.',
    '',
    'FIRST STEPS',
    '  signalbox start                  run the server',
    '  signalbox login                  keep a token',
    '  signalbox init                   write signalbox.config.ts and .signalbox.json',
    '  signalbox push --env development send the definition',
    '  signalbox run --env development -- node server.js',
    '',
    'EVERY COMMAND TAKES',
    '  --json --yes --dry-run --quiet --verbose --no-color',
    '  --cwd <dir> --config <file> --profile <name> --server <url> --token-stdin',
    '',
    'EXIT CODES',
    '  0 done   1 failed   2 usage   3 cancelled   4 token or rights   5 not valid',
    '  6 changed meanwhile   7 server not reached   8 differences   130 interrupted',
  ].join('\n'),
} as const

function unknownCommand(input: string, corrections: readonly string[]): CliError {
  const near = corrections.map((name) => `signalbox ${name.replaceAll('`', '')}`).join(' or ')
  return new CliError('usage', 'unknown_command', `There is no command "${input}".`, {
    hint: near === '' ? 'signalbox --help' : `Did you mean ${near}?`,
  })
}

function usageError(error: unknown, command: string | undefined): CliError {
  if (error instanceof FlagNotFoundError && /^--?token$/.test(`--${error.input}`)) {
    return new CliError(
      'usage',
      'token_flag',
      'A token is never a flag: the process list would show it.',
      {
        hint: 'Use SIGNALBOX_TOKEN, --token-stdin, or: signalbox login',
      },
    )
  }
  const message =
    error instanceof ArgumentScannerError
      ? formatMessageForArgumentScannerError(error, {})
      : error instanceof Error
        ? error.message
        : String(error)
  return new CliError('usage', 'usage', toKebabFlags(message), {
    hint:
      command === 'run' && isUnknownFlag(error)
        ? 'What belongs to the program goes after --: signalbox run -- node --version'
        : 'Add --help to see what the command takes.',
  })
}

function isUnknownFlag(error: unknown): boolean {
  return error instanceof FlagNotFoundError || error instanceof AliasNotFoundError
}

function bug(error: unknown, verbose: boolean): CliError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return new CliError(
    'failure',
    'internal',
    `Something went wrong in signalbox itself: ${message}`,
    {
      details: verbose && stack !== undefined ? stack.split('\n').slice(1) : [],
      hint: verbose ? undefined : 'Repeat with --verbose to see where.',
    },
  )
}

/** Stricli names flags as the code does (`--dryRun`); people type `--dry-run`. */
function toKebabFlags(message: string): string {
  return message.replaceAll(/--[a-z]+(?:[A-Z][a-z]+)+/g, (flag) =>
    flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  )
}
