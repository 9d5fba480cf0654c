import { privateNames } from './name-rules.ts'
import { exportsWithoutSentence, riddlingComments } from './sentence-rules.ts'
import { showFindings, type Finding, type SourceFile } from './source-files.ts'

/** Holds how often each folder still breaks a rule that the code did not always have. */
export const leftOverFile = 'test/architecture/left-over.json'

/** Lists the rules whose breaches are counted down to none. */
export const leftOverRules = {
  exportsWithoutSentence,
  riddlingComments,
  privateNames,
} satisfies Record<string, (file: SourceFile) => Finding[]>

/** Names a rule whose breaches are counted. */
export type LeftOverRule = keyof typeof leftOverRules

/** Maps a folder to how often it breaks a rule. */
export type Counts = Readonly<Record<string, number>>

/** Counts what breaks a rule by folder: `packages/server/src/identity`. Findings of no folder count for `src`. */
export function countByFolder(findings: readonly Finding[]): Counts {
  const counts: Record<string, number> = {}
  for (const folder of findings.map(folderOf).sort()) counts[folder] = (counts[folder] ?? 0) + 1
  return counts
}

function folderOf({ path }: Finding): string {
  return path.split('/').slice(0, -1).slice(0, 4).join('/')
}

/** Lists what differs from what is allowed: more, with the findings of the folder, and fewer, so that the list shrinks. */
export function leftOverFaults(findings: readonly Finding[], allowed: Counts): string[] {
  const counts = countByFolder(findings)
  return [...new Set([...Object.keys(counts), ...Object.keys(allowed)])]
    .sort()
    .flatMap((folder) => {
      const [count, limit] = [counts[folder] ?? 0, allowed[folder] ?? 0]
      if (count < limit) {
        return [`${folder}: ${count}, and ${limit} are listed: node scripts/count-left-over.ts`]
      }
      if (count === limit) return []
      const shown = showFindings(findings.filter((finding) => folderOf(finding) === folder))
      return [`${folder}: ${count}, and ${limit} are allowed`, ...shown]
    })
}
