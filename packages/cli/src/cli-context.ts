import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { CommandContext, StricliProcess, FlagParametersForType } from '@stricli/core'
import type { OutputStream } from './terminal/output.ts'
import { parseDuration, parseInstant } from './terminal/times.ts'

/** Describes what a command has around it. Tests run many commands in one process. */
export interface Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Partial<Record<string, string>>
  /** Holds the directory of the person. */
  readonly home: string
  /** Starts a program with these streams as its own. */
  readonly startChild: (
    command: string,
    args: readonly string[],
    options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
  ) => ChildProcess
}

/** Describes the context that stricli passes to each command. */
export interface CliContext extends CommandContext {
  readonly process: StricliProcess
  readonly surroundings: Surroundings
  /** Holds the arguments as they were typed, for advice to repeat the command with another flag. */
  readonly args: readonly string[]
  /** Runs another command of ours in the same surroundings. */
  readonly runOther: (args: readonly string[]) => Promise<number | NodeJS.Signals>
  /** Overrides stricli's exit code. `run` and `start` set it. */
  exitWith?: number | NodeJS.Signals
}

/** Holds the flags that every command takes. */
export type GlobalFlags = {
  readonly json?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly dryRun?: boolean | undefined
  readonly quiet?: boolean | undefined
  readonly verbose?: boolean | undefined
  readonly color?: boolean | undefined
  readonly cwd?: string | undefined
  readonly config?: string | undefined
  readonly profile?: string | undefined
  readonly server?: string | undefined
  readonly tokenStdin?: boolean | undefined
}

/** Holds the flags of a command that works on one schema. */
export type SchemaFlags = GlobalFlags & { readonly schema?: string | undefined }

/** Holds the flags of a command that works on one schema in one environment. */
export type TargetFlags = SchemaFlags & { readonly env?: string | undefined }

const text = (input: string) => input
const off = { kind: 'boolean', optional: true, withNegated: false } as const

/** Lists the flags that every command has. */
export const globalFlags = {
  json: { ...off, brief: 'Print one JSON document; errors too, on stderr' },
  yes: { ...off, brief: 'Answer every question with yes' },
  dryRun: { ...off, brief: 'Show what would be done and do nothing' },
  quiet: { ...off, brief: 'Print only data, warnings and errors', hidden: true },
  verbose: { ...off, brief: 'Print every step', hidden: true },
  color: { kind: 'boolean', optional: true, brief: 'Colors; NO_COLOR works too', hidden: true },
  cwd: {
    kind: 'parsed',
    parse: text,
    optional: true,
    brief: 'Directory to work in',
    placeholder: 'dir',
    hidden: true,
  },
  config: {
    kind: 'parsed',
    parse: text,
    optional: true,
    brief: 'Definition file (default signalbox.config.ts)',
    placeholder: 'file',
    hidden: true,
  },
  profile: {
    kind: 'parsed',
    parse: text,
    optional: true,
    brief: 'Set of stored tokens (default "default")',
    placeholder: 'name',
    hidden: true,
  },
  server: {
    kind: 'parsed',
    parse: text,
    optional: true,
    brief: 'Server address (default SIGNALBOX_URL, then .signalbox.json)',
    placeholder: 'url',
    hidden: true,
  },
  tokenStdin: {
    ...off,
    brief: 'Read the token from stdin (default SIGNALBOX_TOKEN, then login)',
    hidden: true,
  },
} as const satisfies FlagParametersForType<GlobalFlags, CliContext>

/** Lists the flags of every command, for the help of each. Most are hidden in its usage, which they would fill. */
export const globalFlagLines = [
  '  --json --yes --dry-run --quiet --verbose --no-color',
  '  --cwd <dir> --config <file> --profile <name> --server <url> --token-stdin',
] as const

/** Returns an optional flag that takes a text. */
export const textFlag = <const P extends string>(placeholder: P, brief: string) =>
  ({ kind: 'parsed', parse: text, optional: true, brief, placeholder }) as const

/** Returns an optional flag that takes texts, separated by commas. */
export const listFlag = <const P extends string>(placeholder: P, brief: string) =>
  ({ ...textFlag(placeholder, brief), variadic: ',' }) as const

/** Returns an optional flag that may be repeated. Its texts may have commas. */
export const repeatedFlag = <const P extends string>(placeholder: P, brief: string) =>
  ({ ...textFlag(placeholder, brief), variadic: true }) as const

/** Returns an optional flag that takes a date and time with an offset. */
export const momentFlag = (brief: string) =>
  ({ kind: 'parsed', parse: parseInstant, optional: true, brief, placeholder: 'time' }) as const

/** Lists the flags of a command that works on one schema. */
export const schemaFlags = {
  ...globalFlags,
  schema: textFlag('name', 'Schema (default: "schema" in .signalbox.json)'),
} as const

/** Lists the flags of a command that works on one schema in one environment. */
export const targetFlags = {
  ...globalFlags,
  env: textFlag('name', 'Environment (default: "environment" in .signalbox.json)'),
  schema: schemaFlags.schema,
} as const

/** Describes the flag with the prefix that makes a framework publish variables. */
export const prefixFlag = textFlag(
  'text',
  'Prefix for public values and flags: NEXT_PUBLIC_, VITE_, or auto',
)

/** Describes the flag that permits variables which control programs, such as NODE_OPTIONS. */
export const allowVariableFlag = listFlag(
  'names',
  'Variables to set even though they control how programs run, such as NODE_OPTIONS',
)

/** Returns a flag without a value, off by default. */
export const switchFlag = (brief: string) => ({ ...off, brief }) as const

/** Lists the flags that say how a change is watched once it is live. */
export const proveFlags = {
  prove: {
    kind: 'parsed',
    parse: parseDuration,
    inferEmpty: true,
    optional: true,
    brief: 'Watch the change once it is live, such as 30m; without a duration, for 15 minutes',
    placeholder: 'duration',
  },
  signal: repeatedFlag('name', 'Signal that judges the change; may be repeated'),
  failures: textFlag('count', 'Bad readings at which the proof fails (default "3 of 5")'),
  noData: {
    kind: 'enum',
    values: ['hold', 'pass'],
    optional: true,
    brief: 'Without a good reading, end undecided or leave the signal out (default hold)',
  },
  onFailure: {
    kind: 'enum',
    values: ['restore', 'tell'],
    optional: true,
    brief: 'Take the change back where its proof fails, or only tell (default restore)',
  },
} as const

/** Lists the flags of every command that changes what people may have to approve. Each of them asks for it, where it is so. */
export const requestFlags = {
  request: switchFlag('Ask for the change where people must approve it'),
  title: textFlag('text', 'Title of the request'),
  reason: textFlag('text', 'Reason of the request, for those who review it'),
  at: momentFlag('Moment at which an approved request applies itself'),
  wait: {
    kind: 'parsed',
    parse: parseDuration,
    inferEmpty: true,
    optional: true,
    brief:
      'Wait for the approval, such as 30m, and apply the change; without a duration, to its end',
    placeholder: 'duration',
  },
} as const
