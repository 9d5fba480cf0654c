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

/** Lists the sentences under *Guarantees* of SECURITY.md, without the headline of each paragraph. */
function listPromises(security: string): string[] {
  const section = security.split('\n## Guarantees\n')[1]?.split('\n## ')[0] ?? ''
  return section
    .split('\n- **')
    .slice(1)
    .flatMap((item) => {
      const text = item.replaceAll(/\s+/g, ' ').replace(/^.*?\*\* /, '')
      return text.trim().split(/(?<=\.) (?=[A-Z`])/)
    })
}

/**
 * Finds sentences of SECURITY.md for which the list names no test, rows about no sentence, and tests of the list that are gone.
 * A row begins with the first words of its sentence; a test is a file and the beginning of a name in it.
 */
export function unprovenPromises(
  security: string,
  list: string,
  readTest: (path: string) => string | undefined,
): string[] {
  const promises = listPromises(security)
  const rows = [...list.matchAll(/^\| (.+?) … \| (.*) \|$/gm)].map(
    ([, start = '', tests = '']) => ({
      start,
      tests: tests
        .split('<br>')
        .map((each) => /^`(.+?)`: (.+)$/.exec(each)?.slice(1) ?? [each, '']),
    }),
  )
  const unproven = promises.filter(
    (promise) => !rows.some(({ start }) => promise.startsWith(start)),
  )
  const stray = rows.filter(({ start }) => !promises.some((promise) => promise.startsWith(start)))
  const gone = rows.flatMap(({ tests }) =>
    tests.filter(([path = '', name = '']) => {
      const text = readTest(path)
      return name === '' || !["'", '"', '`'].some((quote) => text?.includes(quote + name) === true)
    }),
  )
  return [
    ...unproven.map((promise) => `no test proves “${promise.slice(0, 60)}”`),
    ...stray.map(({ start }) => `no sentence begins with “${start}”`),
    ...gone.map(([path, name]) => `there is no test “${name}” in ${path}`),
  ]
}
