import { type Application, buildApplication, buildRouteMap, text_en } from '@stricli/core'
import type { CliContext } from './cli-context.ts'
import { routes } from './routes.ts'
import { CliError } from './terminal/cli-error.ts'
import { toFileError } from './terminal/file-error.ts'
import { createLimit } from './terminal/limit.ts'
import { renderError, renderErrorDocument } from './terminal/output.ts'
import { createStyles } from './terminal/styles.ts'
import { unknownCommand, usageError } from './usage-error.ts'
import { cliVersion } from './version.ts'

/** Describes how the command line prints. */
export interface AppOptions {
  /** Prints errors as one JSON document. */
  readonly json: boolean
  readonly color: boolean
  readonly verbose: boolean
  /** Lists the arguments that are no flags, for precise advice. The first one is the command. */
  readonly words: readonly string[]
  /** Names this program in advice, as the person starts it. Example: `npx --no-install signalbox`. */
  readonly program: string
}

/** Creates the application: its commands, and the form of every error. */
export function createApp({
  json,
  color,
  verbose,
  words,
  program,
}: AppOptions): Application<CliContext> {
  const styles = createStyles(color)
  const limit = createLimit(verbose)
  const say = (error: unknown) => {
    const known = error instanceof CliError ? error : (toFileError(error) ?? bug(error, verbose))
    return json ? renderErrorDocument(known) : renderError(known, { styles, limit, program })
  }
  return buildApplication(buildRouteMap({ routes, docs: docsOfAll }), {
    name: 'signalbox',
    versionInfo: { currentVersion: cliVersion() },
    scanner: {
      caseStyle: 'allow-kebab-for-camel',
      allowArgumentEscapeSequence: true,
      distanceOptions: noProposals,
    },
    documentation: {
      caseStyle: 'convert-camel-to-kebab',
      disableAnsiColor: !color,
    },
    determineExitCode: (error) => (error instanceof CliError ? error.exitCode : 1),
    localization: {
      text: {
        ...text_en,
        exceptionWhileParsingArguments: (error) => say(usageError(error, words)),
        exceptionWhileRunningCommand: (error) => say(error),
        exceptionWhileLoadingCommandFunction: (error) => say(error),
        exceptionWhileLoadingCommandContext: (error) => say(error),
        commandErrorResult: (error) => say(error),
        noCommandRegisteredForInput: ({ input }) => say(unknownCommand(input)),
      },
    },
  })
}

/** Similar names are found by our own rule, which the server uses too. */
const noProposals = {
  threshold: 0,
  weights: { insertion: 1, deletion: 1, substitution: 1, transposition: 1 },
} as const

const docsOfAll = {
  hideRoute: { 'github-action': true },
  brief: 'Configuration and feature flags from your Signalbox server',
} as const

function bug(error: unknown, verbose: boolean): CliError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return new CliError(
    'failure',
    'internal',
    `Something went wrong in signalbox itself: ${message}`,
    {
      details: verbose && stack !== undefined ? stack.split('\n').slice(1) : [],
      advice: verbose ? undefined : 'Repeat with --verbose to see the cause.',
    },
  )
}
