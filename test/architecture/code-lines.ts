import { listCodeLines } from '../../scripts/check/source-hashes.ts'
import { isSandboxFile, isTestFile, type SourceFile } from './source-files.ts'

/** Names the area that a file counts for: `packages/server`, `packages/server tests`, `e2e`. */
function areaOf(path: string): string {
  const [, folder = path] = /^(packages\/[^/]+|[^/]+)\//.exec(path) ?? []
  const area = isSandboxFile(path) ? 'packages/sandbox' : folder
  return isTestFile(path) && path.startsWith('packages/') ? `${area} tests` : area
}

/** Counts the lines of code of each area. */
export function countByArea(files: readonly SourceFile[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { path, text } of files) {
    const area = areaOf(path)
    counts[area] = (counts[area] ?? 0) + listCodeLines(text).length
  }
  return counts
}

/** Lists the areas that have more lines than they may. */
export function areasOverLimit(
  counts: Readonly<Record<string, number>>,
  limits: Readonly<Record<string, number>>,
): string[] {
  return Object.entries(counts).flatMap(([area, lines]) => {
    const limit = limits[area] ?? 0
    return lines > limit ? [`${area}: ${lines} lines of code, ${limit} allowed`] : []
  })
}
