import { posix } from 'node:path'
import { importsOf, targetPath } from './imports.ts'
import { findingAt, isTestFile, type Finding, type SourceFile } from './source-files.ts'

/** A row of the folder table of `AGENTS.md`: an entry such as `configs/`, and what it may import. */
interface FolderRule {
  readonly entry: string
  readonly everything: boolean
  /** Folders (`audit/`) and single files (`configs/snapshot.ts`). */
  readonly mayImport: readonly string[]
}

const server = 'packages/server/src/'

/**
 * Reads the table whose header is `Folder | Holds | May import`. "the kit" stands for every row whose second cell
 * begins with "Kit:", "everything" for every row.
 */
export function readFolderTable(markdown: string): FolderRule[] {
  const lines = markdown.split('\n')
  const start = lines.findIndex((line) => /^\|\s*Folder\s*\|.*\|\s*May import\s*\|$/.test(line))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  const rows = lines.slice(start + 2, end === -1 ? undefined : end).map((line) => {
    const [entries = '', holds = '', allowed = ''] = line.split('|').slice(1)
    return { entries: quoted(entries), holds: holds.trim(), allowed }
  })
  const kit = rows.filter(({ holds }) => holds.startsWith('Kit:')).flatMap(({ entries }) => entries)
  return rows.flatMap(({ entries, allowed }) =>
    entries.map((entry) => ({
      entry,
      everything: allowed.includes('everything'),
      mayImport: [...quoted(allowed), ...(allowed.includes('the kit') ? kit : [])],
    })),
  )
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
}

/** Relative imports between the server's folders that the table does not allow. Tests may reach anywhere. */
export function forbiddenImports(file: SourceFile, table: readonly FolderRule[]): Finding[] {
  if (!file.path.startsWith(server) || isTestFile(file.path)) return []
  const from = entryOf(file.path)
  const rule = table.find(({ entry }) => entry === from)
  if (rule === undefined) {
    return [{ path: file.path, line: 1, detail: `${from} is not in the folder table of AGENTS.md` }]
  }
  return importsOf(file).flatMap(({ node, specifier }) => {
    if (!specifier.startsWith('.')) return []
    const target = targetPath(file, specifier)
    if (target.startsWith(server) && isAllowed(rule, target)) return []
    return [findingAt(file, node, `${from} may not import ${posix.relative(server, target)}`)]
  })
}

function isAllowed(rule: FolderRule, target: string): boolean {
  const to = entryOf(target)
  const inServer = target.slice(server.length)
  return (
    rule.everything ||
    to === rule.entry ||
    rule.mayImport.some((allowed) => allowed === to || allowed === inServer)
  )
}

/** `packages/server/src/configs/rows.ts` -> `configs/`; `packages/server/src/app.ts` -> `app.ts`. */
function entryOf(path: string): string {
  const [first = '', ...rest] = path.slice(server.length).split('/')
  return rest.length === 0 ? first : `${first}/`
}
