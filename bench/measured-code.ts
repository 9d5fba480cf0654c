import { posix } from 'node:path'
import { createImportGraph } from '../scripts/check/import-graph.ts'
import { listCodeLines, sha256 } from '../scripts/check/source-hashes.ts'
import type { MeasuredCode } from './record.ts'

/** Finds sources that are named by a path, such as a process that a bench starts. The end may depend on what is built. */
const namedPattern = /['"`](?:\.\/)?([\w./-]+)\.(?:tsx?['"`]|\$\{)/g

/** Maps what is served as a build to the source that it begins with. */
const built: Readonly<Record<string, string>> = {
  'bench/dashboard-page.ts': 'packages/dashboard/src/main.tsx',
}

/** Follows what a bench measures, over any number of files below a root. */
export interface MeasuredSources {
  /** Lists the bench, and every file that it and what it starts import or name. */
  readonly list: (bench: string) => readonly string[]
  /**
   * Hashes those files and the versions that their packages depend on. Comments and blank lines are no part of it: they change no
   * figure, and a figure takes minutes to measure. Anything finer would be a list kept by hand, which forgets.
   */
  readonly hash: (bench: string) => string
}

export function createMeasuredSources(root: string): MeasuredSources {
  const { listImports, read } = createImportGraph(root)
  const codes = new Map<string, string>()
  const codeOf = (path: string): string => {
    const code = codes.get(path) ?? listCodeLines(read(path)).join('\n')
    codes.set(path, code)
    return code
  }
  const referred = new Map<string, readonly string[]>()
  const listReferred = (path: string): readonly string[] => {
    const known = referred.get(path)
    if (known !== undefined) return known
    const named = [...codeOf(path).matchAll(namedPattern)].flatMap(([, name = '']) =>
      [posix.join(posix.dirname(path), name), name].flatMap((one) => [`${one}.ts`, `${one}.tsx`]),
    )
    const all = [...listImports(path), ...named, built[path] ?? '']
    const found = all.filter((one) => read(one) !== '')
    referred.set(path, found)
    return found
  }
  const list = (bench: string) => {
    const reached = new Set([bench])
    // The set grows while it is walked.
    for (const path of reached) for (const one of listReferred(path)) reached.add(one)
    return [...reached].toSorted()
  }
  return {
    list,
    hash: (bench) => {
      const paths = list(bench)
      const packages = new Set<string>(
        paths.map((path) => /^(?:packages\/[^/]+|bench\/peers)/.exec(path)?.[0] ?? ''),
      )
      const versions = [...packages].filter(Boolean).map((path) => {
        const { dependencies }: { dependencies?: object } = JSON.parse(read(`${path}/package.json`))
        return JSON.stringify(dependencies)
      })
      const sources = paths.map((path) => `${path}\n${codeOf(path)}`)
      return sha256([...versions, ...sources].join('\0')).slice(0, 16)
    },
  }
}

/** Returns whether a figure is of the code as it is now. One from before hashes were kept is not. */
export function isOfToday(code: MeasuredCode | undefined, { hash }: MeasuredSources): boolean {
  return code !== undefined && code.hash === hash(code.bench)
}
