import type { ImportIssue, ImportSource } from '@signalbox/contract'
import type { ImportDocument } from '@signalbox/contract/rest'

/** Describes a key of an import document. */
export type ImportedKey = ImportDocument['keys'][number]
/** Describes what a document leaves out. */
export type LeftOutKey = ImportDocument['leftOut'][number]

/** Holds what a reader makes of an export: what is imported, and what is not. */
export interface ReadExport {
  readonly keys: readonly ImportedKey[]
  readonly leftOut: readonly LeftOutKey[]
}

/** Holds what a person said beside the export. */
export interface ReadOptions {
  /** Names the environment here of an export that is about one. */
  readonly environment: string | undefined
  /** Maps their names of environments to ours. */
  readonly environments: ReadonlyMap<string, string>
  /** Names the folder that names lose, of an export with folders. Absent: what all have in common. */
  readonly prefix?: string | undefined
  /** Names the namespace to read, of an export with several. */
  readonly namespace?: string | undefined
  /** Holds the moment of the import, for flags that change with time. Default: now. */
  readonly now?: Date | undefined
}

/** Holds the way to the product for a reader with a token. */
export interface TokenAccess {
  readonly env: Readonly<Partial<Record<string, string>>>
  readonly project: string | undefined
  /** Names the environments to read, as the product calls them. Empty: all. */
  readonly environments: readonly string[]
  /** Names the folder, or the secret, to read. Absent: the reader needs none, or says that it does. */
  readonly path?: string | undefined
  /**
   * Asks the product. Waits and asks again where it says that it is asked too often. Calls `onNext` with the URL of the next
   * page, where the answer has one. With a `body` it sends a POST, which must only read.
   */
  readonly ask: (
    url: string,
    headers: Readonly<Record<string, string>>,
    onNext?: (url: string) => void,
    body?: string,
  ) => Promise<unknown>
}

/** Reads the configuration of one product. `registry.ts` lists them all. */
export interface Importer {
  readonly source: ImportSource
  /**
   * Holds the prefix of the codes of a source of variables: names with texts, some of them secret. Their types and tiers are
   * guessed, and those of keys that exist count more.
   */
  readonly variableCodes?: string
  /** Turns the text of an export into what is imported. Pure. @throws {ExportError} */
  readonly fromFile: (text: string, options: ReadOptions) => ReadExport
  /** Names the variable that holds the token. Absent: there are several, or none. */
  readonly tokenVariable?: string
  /** Reads with a token of the environment, and returns the text of an export for `fromFile`. */
  readonly fromToken?: (access: TokenAccess) => Promise<string>
}

/** Says that an export cannot be read, with the place: a line, or a path such as `flags.checkout.rules[0]`. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

/** Says that one flag cannot be imported. Its reader leaves the flag out with the issue. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut'
  readonly issue: ImportIssue

  constructor(issue: ImportIssue) {
    super(issue.cause)
    this.issue = issue
  }
}

/** Returns the environment here of an export that is about one. @throws {ExportError} when nobody has named it */
export function requireEnvironment({ environment }: ReadOptions, name = 'This export'): string {
  if (environment !== undefined) return environment
  throw new ExportError(`${name} is about one environment. Say which one it becomes: --env <name>.`)
}

/** Returns a variable of the environment. @throws {ExportError} when it is not set; `what` says what belongs there */
export function requireVariable(
  { env }: Pick<TokenAccess, 'env'>,
  name: string,
  what: string,
): string {
  const value = env[name]?.trim() ?? ''
  if (value !== '') return value
  throw new ExportError(`${name} is not set: ${what}.`)
}

/** Returns the one environment there that is read. @throws {ExportError} when none or several are named */
export function requireOneEnvironment(
  { environments }: Pick<TokenAccess, 'environments'>,
  what: string,
): string {
  const [environment, ...more] = environments
  if (environment !== undefined && more.length === 0) return environment
  throw new ExportError(`Name ${what}: --environments <name>.`)
}

/** Joins the base of an API with a path. Example: `https://vault.example.com/` and `v1/secret`. */
export function joinUrl(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path}`
}
