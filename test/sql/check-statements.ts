import type pg from 'pg'
import { readCatalog, type TableCatalog } from './catalog.ts'
import { compareRow } from './compare-row.ts'
import { describeStatement, type DescribedStatement } from './describe-statement.ts'
import type { Statement, ProgramStatements } from './find-statements.ts'
import { foreignAccess } from './table-owners.ts'

/** Describes the finding of one statement. */
export interface StatementFinding {
  readonly path: string
  /** Example: `find-user age is integer, not string`. */
  readonly detail: string
}

/** The result of all checks. */
export interface CheckedStatements {
  /** Statements whose text or row type PostgreSQL contradicts. */
  readonly wrong: readonly StatementFinding[]
  /** Accesses to tables of another owner. */
  readonly foreign: readonly StatementFinding[]
  /** Names that two texts have: PostgreSQL prepares a name once in a connection. */
  readonly ambiguous: readonly string[]
}

/** Compares every statement with what PostgreSQL says of it on a migrated database. */
export async function checkStatements(
  client: pg.Client,
  { checker, statements }: ProgramStatements,
): Promise<CheckedStatements> {
  const catalog = await readCatalog(client)
  const wrong: StatementFinding[] = []
  const foreign: StatementFinding[] = []
  for (const statement of statements) {
    const { path, name, row, at } = statement
    const described = await tryDescribe(client, catalog, statement)
    if (described instanceof Error) {
      wrong.push({ path, detail: `${name} is refused: ${described.message}` })
      continue
    }
    const differences = row === undefined ? [] : compareRow(checker, { row, at }, described.columns)
    wrong.push(...differences.map((difference) => ({ path, detail: `${name} ${difference}` })))
    foreign.push(...foreignAccess(path, described).map((detail) => ({ path, detail })))
  }
  return { wrong, foreign, ambiguous: ambiguousNames(statements) }
}

async function tryDescribe(
  client: pg.Client,
  catalog: TableCatalog,
  { text }: Statement,
): Promise<DescribedStatement | Error> {
  try {
    return await describeStatement(client, catalog, text)
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

function ambiguousNames(statements: readonly Statement[]): string[] {
  const texts = new Map<string, Set<string>>()
  for (const { name, text } of statements) {
    if (name === '') continue
    texts.set(name, (texts.get(name) ?? new Set()).add(text))
  }
  return [...texts].filter(([, known]) => known.size > 1).map(([name]) => name)
}
