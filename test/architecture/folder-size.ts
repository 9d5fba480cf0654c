import { dirname } from 'node:path'
import type { SourceFile } from './source-files.ts'

const entriesMax = 40

/**
 * Lists the folders that hold more files and folders of source than a person reads through: divide them by noun. Records and pages
 * of documents do not count: they are looked up by number or index, and a record keeps its address.
 */
export function crowdedFolders(files: readonly Pick<SourceFile, 'path'>[]): string[] {
  const entries = new Map<string, Set<string>>()
  for (const { path } of files) {
    for (let entry = path; dirname(entry) !== '.'; entry = dirname(entry)) {
      const folder = dirname(entry)
      entries.set(folder, (entries.get(folder) ?? new Set()).add(entry))
    }
  }
  return [...entries]
    .filter(([, { size }]) => size > entriesMax)
    .map(([folder, { size }]) => `${folder}/ holds ${size} entries; ${entriesMax} are allowed`)
    .sort()
}
