import { posix } from 'node:path'
import { findCycles, groupGraph, type Graph } from './import-cycles.ts'
import { importsOf, targetPath } from './imports.ts'
import { findingAt, isTestFile, type Finding, type SourceFile } from './source-files.ts'

/** Describes a row of a folder table: which folders and files it is about, and what they may import. */
interface FolderRule {
  /** Examples: `configs/`, `app.ts`; `screens/*\/` for each folder of `screens/`. */
  readonly entries: readonly string[]
  readonly everything: boolean
  /** Folders (`audit/`) and single files (`configs/snapshot.ts`). */
  readonly mayImport: readonly string[]
}

/** Describes the folders of one package. */
export interface FolderTable {
  /** Example: `packages/server/src/`. */
  readonly root: string
  readonly rules: readonly FolderRule[]
}

/**
 * Reads every table whose header is `Folder | Holds | May import`; the line before it names the package's folder, as in
 * "Inside `packages/server/src` …". "the kit" stands for every row whose second cell begins with "Kit:", "everything" for
 * every row.
 */
export function readFolderTables(markdown: string): FolderTable[] {
  const title =
    /^Inside `(packages\/[^`]+)`[^|]*\n\n\| *Folder *\|.*\| *May import *\|\n\|[-|]+\|\n/gm
  return [...markdown.matchAll(title)].map((match) => {
    const body = markdown.slice(match.index + match[0].length).split('\n')
    const end = body.findIndex((line) => !line.startsWith('|'))
    return { root: `${match[1]}/`, rules: readRules(body.slice(0, end === -1 ? undefined : end)) }
  })
}

function readRules(lines: readonly string[]): FolderRule[] {
  const rows = lines.map((line) => {
    const [entries = '', holds = '', allowed = ''] = line.split('|').slice(1)
    return { entries: quoted(entries), isKit: holds.trim().startsWith('Kit:'), allowed }
  })
  const kit = rows.filter(({ isKit }) => isKit).flatMap(({ entries }) => entries)
  return rows.map(({ entries, allowed }) => ({
    entries,
    everything: allowed.includes('everything'),
    mayImport: [...quoted(allowed), ...(allowed.includes('the kit') ? kit : [])],
  }))
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
}

/** Returns the relative imports between folders of a package that its table does not allow. Tests may reach anywhere. */
export function forbiddenImports(file: SourceFile, tables: readonly FolderTable[]): Finding[] {
  const table = tables.find(({ root }) => file.path.startsWith(root))
  if (table === undefined || isTestFile(file.path)) return []
  const from = entryOf(table, file.path)
  if (from === undefined) {
    const inside = posix.relative(table.root, file.path).replace(/\/.*/, '/')
    return [
      { path: file.path, line: 1, detail: `${inside} is not in the folder table of AGENTS.md` },
    ]
  }
  return importsOf(file).flatMap(({ node, specifier }) => {
    if (!specifier.startsWith('.')) return []
    const target = targetPath(file, specifier)
    if (isAllowed(table, from, target)) return []
    const inside = posix.relative(table.root, target)
    return [findingAt(file, node, `${from.entry} may not import ${inside}`)]
  })
}

function isAllowed(table: FolderTable, from: Entry, target: string): boolean {
  if (!target.startsWith(table.root)) return false
  const inside = target.slice(table.root.length)
  const to = entryOf(table, target)
  return (
    from.rule.everything ||
    to?.entry === from.entry ||
    from.rule.mayImport.some((allowed) => coveredPart(allowed, inside) !== '')
  )
}

/** Holds the part of a path that a row is about, such as `screens/keys/`, and the row. */
interface Entry {
  readonly entry: string
  readonly rule: FolderRule
}

/** Finds the row of a path: that of the innermost folder that has one. */
function entryOf({ root, rules }: FolderTable, path: string): Entry | undefined {
  const inside = path.slice(root.length)
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
  const inside = [...graph.keys()]
    .filter((path) => path.startsWith(table.root))
    .map((path) => path.slice(table.root.length))
  return table.rules
    .flatMap(({ entries }) => entries)
    .filter((entry) => !inside.some((path) => coveredPart(entry, path) !== ''))
}

/** Returns the rows of a table whose files import each other in a circle, over any number of rows. */
export function folderCircles(table: FolderTable, graph: Graph): readonly (readonly string[])[] {
  return findCycles(
    groupGraph(graph, (path) =>
      path.startsWith(table.root) ? entryOf(table, path)?.rule.entries.join(' ') : undefined,
    ),
  )
}
