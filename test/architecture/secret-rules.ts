import { importsOf, targetPath } from './imports.ts'
import { findingAt, isTestFile, type Finding, type SourceFile } from './source-files.ts'

const browser = 'packages/server/src/delivery/browser/'
const opensSecrets =
  /^packages\/server\/src\/(crypto\/(seal|data-keys|root-key)\.ts|vault\/|delivery\/server\/)/

/**
 * Ways from `delivery/browser/` to code that can open a secret, over any number of files. Types do not count: they
 * are erased, and what cannot be called cannot leak.
 */
export function waysToSecrets(files: readonly SourceFile[]): Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return files
    .filter(({ path }) => path.startsWith(browser) && !isTestFile(path))
    .flatMap((file) =>
      valueImports(file).flatMap(({ node, target }) => {
        const way = findWay(byPath, target, [])
        return way === undefined
          ? []
          : [findingAt(file, node, `reaches what opens secrets: ${way.join(' -> ')}`)]
      }),
    )
}

function valueImports(file: SourceFile) {
  return importsOf(file)
    .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && !typeOnly)
    .map(({ node, specifier }) => ({ node, target: targetPath(file, specifier) }))
}

function findWay(
  files: ReadonlyMap<string, SourceFile>,
  path: string,
  seen: readonly string[],
): readonly string[] | undefined {
  const way = [...seen, path]
  if (opensSecrets.test(path)) return way
  const file = files.get(path)
  if (file === undefined || seen.includes(path)) return undefined
  for (const { target } of valueImports(file)) {
    const found = findWay(files, target, way)
    if (found !== undefined) return found
  }
  return undefined
}
