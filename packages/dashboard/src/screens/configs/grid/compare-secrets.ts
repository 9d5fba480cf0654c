import type { MatrixCell } from '../matrix.ts'

/** Returns of a secret's cell: the first column, before it, that holds the same secret. */
export function findSameSecret(cells: readonly MatrixCell[], column: number): number | undefined {
  const mark = cells[column]?.mark
  if (mark === undefined) return undefined
  const first = cells.findIndex((cell) => cell.mark === mark)
  return first < column ? first : undefined
}

/** Returns of a secret's cell: the columns before it that hold another secret. None without marks, which only some may see. */
export function findOtherSecrets(cells: readonly MatrixCell[], column: number): readonly number[] {
  const mark = cells[column]?.mark
  if (mark === undefined) return []
  return cells
    .slice(0, column)
    .flatMap((cell, at) => (cell.mark === undefined || cell.mark === mark ? [] : [at]))
}
