import { posix } from 'node:path'
import { findCycles, groupGraph, type Graph } from './import-cycles.ts'
import { importsOf, targetPath } from './imports.ts'
import { findingAt, isTestFile, type Finding, type SourceFile } from './source-files.ts'

/** Says which folders and files a row is about, and what they may import. */
interface FolderRule {
  /** Examples: `configs/`, `app.ts`; `screens/*\/` for each folder of `screens/`. */
  readonly entries: readonly string[]
  readonly everything: boolean
  /** Lists the files and folders of the entry that other folders may import; undefined: all. */
  readonly entry: readonly string[] | undefined
  /** Folders (`audit/`) and single files (`configs/snapshot.ts`). */
  readonly mayImport: readonly string[]
}

/** Describes the folders of one package. */
export interface FolderTable {
  /** Example: `packages/server/src/`. An entry outside of it begins with `../`. */
  readonly root: string
  readonly rules: readonly FolderRule[]
}

/** Describes a `folder.json`: the folder itself, or in `src/` files and kinds of folders (`entries`), which have none. */
interface FolderFile {
  readonly entries?: readonly string[]
  readonly holds: string
  /** Says that "the kit" of other rows stands for these entries too. */
  readonly kit?: boolean
  /** Lists what other folders may import, from this folder. Left out: everything in it. */
  readonly entry?: readonly string[]
  /** Lists entries, "the kit", or "everything". */
  readonly mayImport: readonly string[]
}

/** Reads the `folder.json` of each folder of a package; `texts` has them by path. */
export function readFolderTables(texts: ReadonlyMap<string, string>): FolderTable[] {
  const roots = [
    ...new Set([...texts.keys()].map((path) => /^packages\/[^/]+\/src\//.exec(path)?.[0])),
  ]
  return roots.flatMap((root) => {
    if (root === undefined) return []
    const rows = [...texts].flatMap(([path, text]) => {
      if (!path.startsWith(root)) return []
      const read = JSON.parse(text) as FolderFile | readonly FolderFile[]
      return [read]
        .flat()
        .map((row) => ({ entries: [posix.relative(root, posix.dirname(path)) + '/'], ...row }))
    })
    // A folder's own row comes before one that is about folders of its kind.
    rows.sort((a, b) => Number(isPattern(a)) - Number(isPattern(b)))
    const kit = rows.filter((row) => row.kit).flatMap(({ entries }) => entries)
    const rules = rows.map(({ entries, entry, mayImport }) => ({
      entries,
      entry: entry?.flatMap((inside) => entries.map((folder) => folder + inside)),
      everything: mayImport.includes('everything'),
      mayImport: mayImport.flatMap((entry) => (entry === 'the kit' ? kit : [entry])),
    }))
    return [{ root, rules }]
  })
}

function isPattern({ entries }: { readonly entries: readonly string[] }): boolean {
  return entries.some((entry) => entry.includes('*'))
}

/** Returns the relative imports between folders of a package that its table does not allow. Tests may reach anywhere. */
export function forbiddenImports(file: SourceFile, tables: readonly FolderTable[]): Finding[] {
  const table = tableOf(tables, file.path)
  if (table === undefined || isTestFile(file.path)) return []
  const from = entryOf(table, file.path)
  if (from === undefined) {
    const inside = posix.relative(table.root, file.path).replace(/\/.*/, '/')
    return [{ path: file.path, line: 1, detail: `${inside} has no folder.json` }]
  }
  return importsOf(file).flatMap(({ node, specifier }) => {
    if (!specifier.startsWith('.')) return []
    const target = targetPath(file, specifier)
    if (tableOf(tables, target) === table && isAllowed(table, from, target)) return []
    const inside = posix.relative(table.root, target)
    return [findingAt(file, node, `${from.entry} may not import ${inside}`)]
  })
}

/** Finds the table of a path: that of its package, or the one that has an entry for it from elsewhere. */
function tableOf(tables: readonly FolderTable[], path: string): FolderTable | undefined {
  return (
    tables.find((table) => !path.startsWith(table.root) && entryOf(table, path) !== undefined) ??
    tables.find(({ root }) => path.startsWith(root))
  )
}

function isAllowed(table: FolderTable, from: Entry, target: string): boolean {
  const inside = posix.relative(table.root, target)
  const to = entryOf(table, target)
  return (
    from.rule.everything ||
    to?.entry === from.entry ||
    (from.rule.mayImport.some((allowed) => coveredPart(allowed, inside) !== '') &&
      (to?.rule.entry ?? ['']).some((open) => inside.startsWith(open)))
  )
}

/** Holds the part of a path that a row is about, such as `screens/keys/`, and the row. */
interface Entry {
  readonly entry: string
  readonly rule: FolderRule
}

/** Finds the row of a path: that of the innermost folder that has one. */
function entryOf({ root, rules }: FolderTable, path: string): Entry | undefined {
  const inside = posix.relative(root, path)
  return rules
    .flatMap((rule) => rule.entries.map((entry) => ({ entry: coveredPart(entry, inside), rule })))
    .reduce<Entry | undefined>(
      (inner, each) => (each.entry.length > (inner?.entry.length ?? 0) ? each : inner),
      undefined,
    )
}

/** Returns how `path` begins when it stands at `entry`, or nothing. Example: `screens/*\/`, `screens/keys/row.tsx` -> `screens/keys/`. */
function coveredPart(entry: string, path: string): string {
  const pattern = entry.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]+')
  return new RegExp(`^${pattern}${entry.endsWith('/') ? '' : '$'}`).exec(path)?.[0] ?? ''
}

/** Returns the entries of a table that no file of the product stands at. */
export function emptyEntries(table: FolderTable, graph: Graph): string[] {
  const inside = [...graph.keys()].map((path) => posix.relative(table.root, path))
  return table.rules
    .flatMap(({ entries }) => entries)
    .filter((entry) => !inside.some((path) => coveredPart(entry, path) !== ''))
}

/** Returns the rows of a table whose files import each other in a circle, over any number of rows. */
export function folderCircles(table: FolderTable, graph: Graph): readonly (readonly string[])[] {
  return findCycles(groupGraph(graph, (path) => entryOf(table, path)?.rule.entries.join(' ')))
}
