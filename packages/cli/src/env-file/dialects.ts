import * as encodings from './encodings.ts'
import type { Encoding } from './encodings.ts'
import type { Reader } from './reader.ts'
import { manifestFormats } from './render-manifest.ts'
import { readCompose } from './readers/compose.ts'
import { readDocker } from './readers/docker.ts'
import { readDotenvExpand } from './readers/dotenv-expand.ts'
import { readDotenv } from './readers/dotenv.ts'
import { readDotenvx } from './readers/dotenvx.ts'
import { readNext } from './readers/next.ts'
import { readNode } from './readers/node.ts'
import { readShell } from './readers/shell.ts'
import { readVite } from './readers/vite.ts'

/** Lists the programs that an env file can be written for. */
export const dialectNames = [
  'dotenv',
  'dotenv-expand',
  'next',
  'vite',
  'node',
  'dotenvx',
  'compose',
  'docker',
  'sh',
] as const
/** Names a program that reads env files. */
export type DialectName = (typeof dialectNames)[number]

/** Lists the values of `--format`. */
export const formatNames = [
  'auto',
  ...dialectNames,
  'json',
  'yaml',
  ...manifestFormats,
  'flagd',
] as const
/** Names a value of `--format`. */
export type FormatName = (typeof formatNames)[number]

/** Describes how a program reads an env file, and how values are written for it. */
export interface Dialect {
  readonly name: DialectName
  readonly read: Reader
  /** Lists the encodings in the order in which they are tried. */
  readonly encodings: readonly Encoding[]
  /** Lists other common readers of such a file. An encoding that all of them read alike is preferred. */
  readonly alsoRead: readonly Reader[]
  /** Holds a prefix of the line, such as `export `. */
  readonly assignment: '' | 'export '
  /** Says whether a reader runs `$(…)` in a value. */
  readonly executes: boolean
  /** Holds the prefix of variables that the framework publishes. */
  readonly publicPrefix: string | undefined
  /** Holds advice for a value that cannot be written. */
  readonly nextStep: string
}

const run =
  'Start the program with its values instead of a file: signalbox run --env <name> -- <command>'
const common = {
  alsoRead: [],
  assignment: '',
  executes: false,
  publicPrefix: undefined,
  nextStep: run,
} as const

const {
  backtick,
  backtickDollars,
  single,
  singleDollars,
  singleEscaped,
  double,
  doubleLineEnds,
  doubleLineEndsDollars,
  raw,
  rawDollars,
} = encodings

const encodingsInOrder = [backtick, doubleLineEnds, single, double, raw] as const
const expanding = [
  backtickDollars,
  doubleLineEndsDollars,
  singleDollars,
  rawDollars,
  backtick,
  doubleLineEnds,
  single,
  raw,
] as const

/** Lists every dialect by its name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  dotenv: {
    ...common,
    name: 'dotenv',
    read: readDotenv,
    encodings: encodingsInOrder,
    alsoRead: [readNode, readDotenvExpand, readNext, readVite, readDotenvx],
    executes: true,
  },
  'dotenv-expand': {
    ...common,
    name: 'dotenv-expand',
    read: readDotenvExpand,
    encodings: expanding,
    alsoRead: [readDotenv],
    executes: true,
  },
  next: {
    ...common,
    name: 'next',
    read: readNext,
    encodings: expanding,
    publicPrefix: 'NEXT_PUBLIC_',
  },
  vite: {
    ...common,
    name: 'vite',
    read: readVite,
    encodings: expanding,
    publicPrefix: 'VITE_',
  },
  node: { ...common, name: 'node', read: readNode, encodings: encodingsInOrder },
  dotenvx: {
    ...common,
    name: 'dotenvx',
    read: readDotenvx,
    encodings: [single, singleEscaped, doubleLineEndsDollars, backtickDollars, rawDollars],
    executes: true,
  },
  compose: {
    ...common,
    name: 'compose',
    read: readCompose,
    encodings: [encodings.doubleCompose],
  },
  docker: {
    ...common,
    name: 'docker',
    read: readDocker,
    encodings: [raw],
    nextStep: `docker run can't read values with line breaks. Use Compose (--format compose), or: signalbox run --env <name> -- docker run -e NAME …`,
  },
  sh: {
    ...common,
    name: 'sh',
    read: readShell,
    encodings: [encodings.doubleShell],
    assignment: 'export ',
  },
}
