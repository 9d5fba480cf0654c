import { globSync, statSync } from 'node:fs'

/** Returns whether the file `built` is at least as new as every file that the patterns of `sources` match. */
export function isNewerThan(built: string, sources: readonly string[]): boolean {
  const builtAt = changedAt(built)
  return builtAt > 0 && globSync(sources).every((path) => changedAt(path) <= builtAt)
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
