import { findLastChange } from '../last-change.ts'
import type { Matrix, MatrixKey } from '../matrix.ts'

/** Returns the rows by name, which groups them by their first word too, or those that were changed last first. Without an order they stay as the schema has them. */
export function sortRows(
  matrix: Pick<Matrix, 'environments' | 'authors'>,
  rows: readonly MatrixKey[],
  order: 'name' | 'changed' | 'prefix' | undefined,
): readonly MatrixKey[] {
  if (order === undefined) return rows
  if (order !== 'changed') return rows.toSorted((one, other) => one.key.localeCompare(other.key))
  const times = new Map(rows.map((row) => [row.key, findLastChange(matrix, row)?.at ?? '']))
  const timeOf = ({ key }: MatrixKey) => times.get(key) ?? ''
  return rows.toSorted((one, other) => timeOf(other).localeCompare(timeOf(one)))
}
