import { findDrift, type Tier } from '@signalbox/contract'
import type { MatrixKey } from '../matrix.ts'

/** Describes the filter of the rows. */
export interface RowFilter {
  /** Holds words to find in the name or the description. Upper and lower case are the same. */
  readonly text: string
  readonly tier: Tier | undefined
  /** Selects the keys to show. */
  readonly only: ((row: MatrixKey) => boolean) | undefined
}

/** Returns the keys that match a filter. */
export function filterRows(keys: readonly MatrixKey[], filter: RowFilter): readonly MatrixKey[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && filter.tier === undefined && filter.only === undefined) return keys
  return keys.filter(
    (row) =>
      (filter.tier === undefined || row.tier === filter.tier) &&
      (filter.only?.(row) ?? true) &&
      words.every((word) => hasWord(row, word)),
  )
}

function hasWord({ key, description }: MatrixKey, word: string): boolean {
  return key.toLowerCase().includes(word) || description?.toLowerCase().includes(word) === true
}

/** Returns whether a key has no value in one column of the matrix, or in any where there is no such column. */
export function isMissing({ cells }: Pick<MatrixKey, 'cells'>, column: number): boolean {
  const inOne = column < 0 ? cells : cells.slice(column, column + 1)
  return inOne.some(({ source }) => source === 'missing')
}

/** Returns whether a key is missing in some environment, or differs between them. */
export function isUneven({ drift, cells }: MatrixKey): boolean {
  return drift === true || cells.some(({ source }) => source === 'missing')
}

/**
 * Returns whether a key differs between two columns of the matrix and is not expected to, as the overview counts it: the
 * values of secrets are not compared.
 */
export function isDrifting(
  { cells, expectedToDiffer }: Pick<MatrixKey, 'cells' | 'expectedToDiffer'>,
  column: number,
  against: number,
): boolean {
  const [one, other] = [cells[column], cells[against]]
  if (expectedToDiffer === true || !one || !other) return false
  return findDrift([one, other].map(({ mark: _mark, ...cell }) => cell)) === true
}
