import { findInText, type MarkdownFile } from './markdown-files.ts'
import type { Finding, SourceFile } from '../architecture/source-files.ts'

/** Finds ids of guarantees in the tests, such as `(S2)`, that the page does not list. */
export function unlistedIds(page: string, tests: readonly Pick<SourceFile, 'path' | 'text'>[]) {
  return tests.flatMap((file) =>
    findInText(file, /(?:\(|['`])([RS]\d{1,2})(?=\)|: |['`])/g, ([, id]) =>
      page.includes(`| ${id} |`) ? undefined : `${id} is no guarantee of docs/guarantees.md`,
    ),
  )
}

/** Finds tests that a page names by their file alone, and that no folder has. */
export function missingTestFiles(page: MarkdownFile, paths: readonly string[]): Finding[] {
  const names = new Set(paths.map((path) => path.split('/').at(-1)))
  return findInText(page, /`([\w-]+\.(?:test|proof)\.ts)`/g, ([, name]) =>
    names.has(name) ? undefined : `there is no ${name}`,
  )
}
