/**
 * Describes what a program that reads the file would see: each name with its value.
 * Names whose value cannot be foretold (a reference, a command) are missing.
 */
export type Reader = (text: string) => ReadFile

/** Holds the variables that a program reads from a file. */
export interface ReadFile {
  readonly values: ReadonlyMap<string, string>
  /** Why the reader would refuse the file, or why we cannot tell what it reads. */
  readonly fault?: string
}
