import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Holds the directory of the repository. */
export const root = join(import.meta.dirname, '../../../../..')

/** Returns a guide's blocks of a language, in their order. Example: `readBlocks('targets', 'sh')`. */
export function readBlocks(guide: string, language: string): string[] {
  const text = readFileSync(join(root, `docs/guide/${guide}.md`), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, 'gms'))].map(
    ([, block = '']) => block,
  )
}
