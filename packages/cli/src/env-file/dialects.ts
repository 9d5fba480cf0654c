import * as encodings from './encode-value.ts'
import type { Encoding, EncodingRules } from './encode-value.ts'
import { manifestFormats } from './render-manifest.ts'

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

/** Describes how values are written for a program that reads env files. */
export interface Dialect extends EncodingRules {
  readonly name: DialectName
  /** Holds a prefix of the line, such as `export `. */
  readonly assignment: '' | 'export '
  /** Holds the prefix of variables that the framework publishes. */
  readonly publicPrefix: string | undefined
  /** Holds advice for a value that cannot be written. */
  readonly nextStep: string
}

const run =
  'Start the program with its values instead of a file: signalbox run --env <name> -- <command>'
const common = { assignment: '', executes: false, publicPrefix: undefined, nextStep: run } as const

const { backtick, double, single, bare, outermost, withDollars } = encodings

const ofDotenv = [backtick, double, single, bare, outermost]
const ofNode: Encoding[] = [backtick, double, single, bare].map(
  (encode) => (value) => (value.includes('\r') ? undefined : encode(value)),
)
/** Expanders run a command in any quotes, escaped or not. */
const withoutCommands =
  (encode: Encoding): Encoding =>
  (value) =>
    value.includes('$(') ? undefined : encode(value)

/** Lists every dialect by its name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  dotenv: {
    ...common,
    name: 'dotenv',
    encodings: ofDotenv,
    readOtherwise: /[$\r]|^(encrypted:|op:\/\/|bw:\/\/)/,
    executes: true,
  },
  'dotenv-expand': {
    ...common,
    name: 'dotenv-expand',
    encodings: ofDotenv.map(withDollars).map(withoutCommands),
    readOtherwise: /\$/,
    executes: true,
  },
  next: {
    ...common,
    name: 'next',
    encodings: ofDotenv.map(withDollars),
    publicPrefix: 'NEXT_PUBLIC_',
  },
  vite: {
    ...common,
    name: 'vite',
    encodings: ofNode.map(withDollars),
    publicPrefix: 'VITE_',
  },
  node: { ...common, name: 'node', encodings: ofNode },
  dotenvx: {
    ...common,
    name: 'dotenvx',
    // It fetches or decrypts the values behind these words.
    encodings: [
      encodings.singleEscaped,
      ...[double, backtick, bare].map(withDollars).map(withoutCommands),
    ].map(
      (encode) => (value) =>
        /^(encrypted:|op:\/\/|bw:\/\/)/.test(value) ? undefined : encode(value),
    ),
    executes: true,
  },
  compose: { ...common, name: 'compose', encodings: [encodings.doubleCompose] },
  docker: {
    ...common,
    name: 'docker',
    encodings: [encodings.wholeLine],
    nextStep: `docker run can't read values with line breaks. Use Compose (--format compose), or: signalbox run --env <name> -- docker run -e NAME …`,
  },
  sh: {
    ...common,
    name: 'sh',
    encodings: [encodings.doubleShell],
    assignment: 'export ',
  },
}
