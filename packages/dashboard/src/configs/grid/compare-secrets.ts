import type { MatrixCell } from '../matrix.ts'

/** Of a secret's cell: the first column, before it, that holds the same secret. */
export function findSameSecret(cells: readonly MatrixCell[], column: number): number | undefined {
  const mark = cells[column]?.mark
  if (mark === undefined) return undefined
  const first = cells.findIndex((cell) => cell.mark === mark)
  return first < column ? first : undefined
}
