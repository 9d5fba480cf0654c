import { toCellId, toCellText, type Matrix, type MatrixKey } from '../matrix.ts'

/**
 * Returns the cells that somebody else has changed between two responses. Changes of `personId` are left out, because
 * that person knows them.
 */
export function findRemoteEdits(
  before: Matrix,
  after: Matrix,
  personId: string,
): readonly string[] {
  if (before === after || before.schema.id !== after.schema.id) return []
  const rows = new Map(before.keys.map((row) => [row.key, row]))
  const columns = new Map(before.environments.map(({ id }, column) => [id, column]))
  return after.keys.flatMap((row) => {
    const old = rows.get(row.key)
    // Responses share equal parts, so most rows are the same object.
    if (old === undefined || old === row) return []
    return findInRow(after, { row, old, columns, personId })
  })
}

interface RowPair {
  readonly row: MatrixKey
  readonly old: MatrixKey
  readonly columns: ReadonlyMap<string, number>
  readonly personId: string
}

function findInRow(
  { environments, authors }: Matrix,
  { row, old, columns, personId }: RowPair,
): string[] {
  return row.cells.flatMap((cell, column) => {
    const environment = environments[column]
    const cellBefore = old.cells[columns.get(environment?.id ?? '') ?? -1]
    if (environment === undefined || cellBefore === undefined) return []
    if (toCellText(row.tier, cell) === toCellText(row.tier, cellBefore)) return []
    const author = cell.updatedBy === undefined ? undefined : authors[cell.updatedBy]
    return author?.id === personId ? [] : [toCellId(environment.id, row.key)]
  })
}
