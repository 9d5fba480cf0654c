import type { MatrixCell } from '../matrix.ts'

/** Returns the first earlier column that holds the same secret as this cell. */
export function findSameSecret(cells: readonly MatrixCell[], column: number): number | undefined {
  const mark = cells[column]?.mark
  if (mark === undefined) return undefined
  const first = cells.findIndex((cell) => cell.mark === mark)
  return first < column ? first : undefined
}

/** Returns the earlier columns that hold another secret than this cell. Empty without marks, which need a permission. */
export function findOtherSecrets(cells: readonly MatrixCell[], column: number): readonly number[] {
  const mark = cells[column]?.mark
  if (mark === undefined) return []
  return cells
    .slice(0, column)
    .flatMap((cell, at) => (cell.mark === undefined || cell.mark === mark ? [] : [at]))
}
