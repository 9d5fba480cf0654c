import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countByFolder, leftOverFile, leftOverRules } from '../test/architecture/left-over.ts'
import { readSourceFiles, root } from '../test/architecture/source-files.ts'

// Run after breaches of a counted rule have been mended, or when the list has a conflict: it is made from the code alone.
const files = readSourceFiles()
const counted = Object.entries(leftOverRules).map(
  ([rule, find]) => [rule, countByFolder(files.flatMap(find))] as const,
)
for (const [rule, counts] of counted) {
  console.log(`${rule}: ${Object.values(counts).reduce((sum, count) => sum + count, 0)}`)
}
writeFileSync(
  join(root, leftOverFile),
  `${JSON.stringify(Object.fromEntries(counted), undefined, 2)}\n`,
)
