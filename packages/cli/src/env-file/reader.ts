/**
 * Reads a file as a program would: names with values. Names whose value cannot be predicted (a reference, a command)
 * are missing.
 */
export type Reader = (text: string) => ReadFile

/** Holds the variables that a program reads from a file. */
export interface ReadFile {
  readonly values: ReadonlyMap<string, string>
  /** Explains why the reader would refuse the file, or why its result cannot be predicted. */
  readonly violation?: string
}
