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
}

/** Holds the way to the product for a reader with a token. */
export interface TokenAccess {
  readonly env: Readonly<Partial<Record<string, string>>>
  readonly project: string | undefined
  /** Names the environments to read, as the product calls them. Empty: all. */
  readonly environments: readonly string[]
  /**
   * Asks the product. Waits and asks again where it says that it is asked too often. Calls `onNext` with the URL of the next
   * page, where the answer has one.
   */
  readonly ask: (
    url: string,
    headers: Readonly<Record<string, string>>,
    onNext?: (url: string) => void,
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
