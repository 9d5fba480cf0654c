import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findInText, type MarkdownFile } from './markdown-files.ts'
import { root, type Finding, type SourceFile } from '../architecture/source-files.ts'

/** Finds ids of guarantees in the tests, such as `(S2)`, that the page does not list. */
export function unlistedIds(page: string, tests: readonly Pick<SourceFile, 'path' | 'text'>[]) {
  return tests.flatMap((file) =>
    findInText(file, /(?:\(|['`])([RS]\d{1,2})(?=\)|: |['`])/g, ([, id]) =>
      page.includes(`| ${id} |`) ? undefined : `${id} is no guarantee of docs/guarantees.md`,
    ),
  )
}

/** Finds files and folders that a page names from the root of the repository, and that are not there. */
export function missingPaths(page: MarkdownFile): Finding[] {
  return findInText(
    page,
    /`((?:packages|docs|e2e|test|scripts|deploy)\/[\w./-]+)`/g,
    ([, path = '']) => (existsSync(join(root, path)) ? undefined : `there is no ${path}`),
  )
}

/** Finds tests that a page names by their file alone, and that no folder has. */
export function missingTestFiles(page: MarkdownFile, paths: readonly string[]): Finding[] {
  const names = new Set(paths.map((path) => path.split('/').at(-1)))
  return findInText(page, /`([\w-]+\.(?:test|proof)\.ts)`/g, ([, name]) =>
    names.has(name) ? undefined : `there is no ${name}`,
  )
}
