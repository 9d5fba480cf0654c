import type { SourceFile } from '../architecture/source-files.ts'
import { fencedBlocks, type FencedBlock } from './markdown-files.ts'

/** Returns the fenced blocks in the comments of a source file, each at its line of the file. */
export function exampleBlocks({ path, text }: Pick<SourceFile, 'path' | 'text'>): FencedBlock[] {
  const comments = text.replaceAll(/^.*$/gm, (line) => /^ *\* ?(.*)$/.exec(line)?.[1] ?? '')
  return fencedBlocks({ path, text: comments })
}

/** Lists the exports whose comment has an example, by their package: `react/usePublicConfig`. */
export function namesWithExample(files: readonly Pick<SourceFile, 'path' | 'text'>[]): Set<string> {
  const documented =
    /\/\*\*(?:(?!\*\/)[^])*@example(?:(?!\*\/)[^])*\*\/\nexport (?:async )?(?:function|const) (\w+)/g
  return new Set(
    files.flatMap(({ path, text }) =>
      [...text.matchAll(documented)].map(([, name]) => `${path.split('/')[1]}/${name}`),
    ),
  )
}
