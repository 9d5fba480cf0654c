import process from 'node:process'
import {
  type Application,
  buildApplication,
  buildRouteMap,
  run,
  type StricliProcess,
  text_en,
} from '@stricli/core'
import type { CliContext, Surroundings } from './cli-context.ts'
import { completeWord } from './commands/server/completion-scripts.ts'
import type { Commands } from './completion/propose.ts'
import { loadTargets, type Targets } from './find-command.ts'
import { asksForOverview, expandHelp, renderOverview } from './help/overview.ts'
import { fromCommand, hoistGlobalFlags } from './hoist-global-flags.ts'
import { CliError } from './terminal/cli-error.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { toFileError } from './terminal/file-error.ts'
import { createLimit } from './terminal/limit.ts'
import { renderError, renderErrorDocument } from './terminal/output.ts'
import { printable } from './terminal/printable.ts'
import { programName } from './terminal/program-name.ts'
import { createStyles, wantsColor } from './terminal/styles.ts'
import { unknownCommand, usageError } from './usage-error.ts'
import { cliVersion } from './version.ts'

/** Runs one command and returns its exit code, or the signal that ended the program which it ran. */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number | NodeJS.Signals> {
  const { stdout, stderr, env } = surroundings
  const inputs = expandHelp(hoistGlobalFlags(args))
  const own = inputs.includes('--') ? inputs.slice(0, inputs.indexOf('--')) : inputs
  const isCompletion = inputs[0] === completeWord
  const words = isCompletion
    ? fromCommand(inputs.slice(1).filter((word) => word !== '--'))
    : own.filter((word) => !word.startsWith('-'))
  const isWhole = !isCompletion || words.length > 1
  const targets = await loadTargets(isWhole ? words[0] : undefined)
  const colorFlag = own.includes('--no-color') ? false : own.includes('--color') ? true : undefined
  const app = createApp({
    json: own.includes('--json'),
    color: wantsColor(env, stderr.isTTY === true, colorFlag),
    verbose: own.includes('--verbose'),
    words,
    program: programName(env, process.cwd()),
    targets,
  })
  const stricliProcess: StricliProcess = { stdout, stderr }
  const runOther = (others: readonly string[]) => runCommandLine(others, surroundings)
  const context: CliContext = { process: stricliProcess, surroundings, args, runOther }
  if (isCompletion) {
    await complete({ app, targets, context }, inputs.slice(1))
    return exitCodes.ok
  }
  if (asksForOverview(inputs)) {
    stdout.write(`${renderOverview()}\n`)
    return exitCodes.ok
  }
  await run(app, inputs, context)
  return context.exitWith ?? usageCode(stricliProcess.exitCode)
}

/** Prints the completions for a shell: global flags, `--`, and the words as far as they are typed. */
async function complete(commands: Commands, args: readonly string[]): Promise<void> {
  const escape = args.indexOf('--')
  const words = args.filter((_, index) => index !== escape)
  const { surroundings } = commands.context
  const { propose } = await import('./completion/propose.ts')
  const { askServer } = await import('./completion/known-names.ts')
  const proposals = await propose(commands, words, askServer(words, surroundings))
  for (const { word, brief } of proposals) {
    surroundings.stdout.write(`${word}\t${printable(brief.replaceAll('\t', ' '))}\n`)
  }
}

/** Stricli's own codes for wrong input are negative. */
function usageCode(code: StricliProcess['exitCode']): number {
  const number = Number(code ?? exitCodes.ok)
  return number < 0 ? exitCodes.usage : number
}

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
  /** Holds the commands that the words may mean. */
  readonly targets: Targets
}

/** Creates the application: its commands, and the form of every error. */
export function createApp({
  json,
  color,
  verbose,
  words,
  program,
  targets,
}: AppOptions): Application<CliContext> {
  const styles = createStyles(color)
  const limit = createLimit(verbose)
  const say = (error: unknown) => {
    const known = error instanceof CliError ? error : (toFileError(error) ?? bug(error, verbose))
    return json ? renderErrorDocument(known) : renderError(known, { styles, limit, program })
  }
  return buildApplication(buildRouteMap({ routes: targets, docs: docsOfAll }), {
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
        exceptionWhileParsingArguments: (error) => say(usageError(error, words, targets)),
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
