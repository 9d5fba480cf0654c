import { globSync, statSync } from 'node:fs'

/** Returns whether the file `built` is at least as new as every file that the patterns of `sources` match. */
export function isNewerThan(built: string, sources: readonly string[]): boolean {
  const builtAt = changedAt(built)
  return builtAt > 0 && globSync(sources, { exclude }).every((path) => changedAt(path) <= builtAt)
}

const exclude = (name: string) => name.endsWith('node_modules')

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
