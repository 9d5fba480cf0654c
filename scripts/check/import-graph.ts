import { globSync, readFileSync } from 'node:fs'
import { dirname, posix, join } from 'node:path'

/** Follows imports between the files of the repository. Paths begin at its root, with `/`. */
export interface ImportGraph {
  /** Lists the files that a file imports itself, types included. */
  readonly listImports: (path: string) => readonly string[]
  /** Returns the text of a file, which is read once; none where there is no file. */
  readonly read: (path: string) => string
  /** Returns whether any of `targets` is reached from a file, over any number of others. */
  readonly reachesAny: (path: string, targets: ReadonlySet<string>) => boolean
}

const importPattern =
  /(?:\bfrom|^import)\s*['"]([^'"\n]+)['"]|\b(?:import|mock|doMock|importActual)(?:<[^>]*>)?\(\s*['"]([^'"\n]+)['"]/gm

/** Reads imports as they stand in the text, from `root` on. A file is read once, when it is asked for. */
export function createImportGraph(root: string): ImportGraph {
  const texts = new Map<string, string>()
  const read = (path: string) => {
    const text = texts.get(path) ?? readText(join(root, path))
    texts.set(path, text)
    return text
  }
  const entries = listPackageEntries(root)
  const known = new Map<string, readonly string[]>()
  const listImports = (path: string): readonly string[] => {
    const before = known.get(path)
    if (before !== undefined) return before
    const text = /\.[cm]?[jt]sx?$/.test(path) ? read(path) : ''
    const specifiers = [...text.matchAll(importPattern)].map(([, one, other]) => one ?? other ?? '')
    const found = specifiers.flatMap((specifier) =>
      specifier.startsWith('.')
        ? [posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''))]
        : (entries.get(specifier) ?? []),
    )
    const imported = [...new Set(found)]
    known.set(path, imported)
    return imported
  }
  const reached = new Map<ReadonlySet<string>, Map<string, boolean>>()
  const reachesAny = (path: string, targets: ReadonlySet<string>): boolean => {
    const answers = reached.get(targets) ?? new Map<string, boolean>()
    reached.set(targets, answers)
    const visit = (at: string): boolean => {
      const answer = answers.get(at)
      if (answer !== undefined) return answer
      // Files import each other in no circle, which the architecture test sees to.
      answers.set(at, false)
      const isReached = targets.has(at) || listImports(at).some(visit)
      answers.set(at, isReached)
      return isReached
    }
    return visit(path)
  }
  return { listImports, read, reachesAny }
}

/** Returns the text of a file, and none where there is no file: an example in a comment imports what it likes. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Maps each name that a package of the workspace exports to the sources behind it, whatever the platform. */
function listPackageEntries(root: string): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, readonly string[]>()
  for (const path of globSync('packages/*/package.json', { cwd: root })) {
    const { name, exports = {} }: Manifest = JSON.parse(readFileSync(join(root, path), 'utf8'))
    for (const [entry, target] of Object.entries(exports)) {
      const sources = JSON.stringify(target).matchAll(/"\.\/(src\/[^"]+)"/g)
      const paths = [...sources].map(([, source = '']) => posix.join(posixDirname(path), source))
      entries.set(posix.join(name, entry), [...new Set(paths)])
    }
  }
  return entries
}

const posixDirname = (path: string) => dirname(path).replaceAll('\\', '/')

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, unknown>>
}
