import { findDrift, type Tier } from '@signalbox/contract'
import type { MatrixKey } from '../matrix.ts'

export interface RowFilter {
  /** Holds words to find in the name, the description, the owner or the tags. Upper and lower case are the same. */
  readonly text: string
  readonly tier: Tier | undefined
  readonly owner?: string | undefined
  readonly tag?: string | undefined
  /** Selects the keys to show. */
  readonly only: ((row: MatrixKey) => boolean) | undefined
}

/** Returns the keys that match a filter. */
export function filterRows(keys: readonly MatrixKey[], filter: RowFilter): readonly MatrixKey[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  const { tier, owner, tag, only } = filter
  if (words.length === 0 && [tier, owner, tag, only].every((part) => part === undefined))
    return keys
  return keys.filter(
    (row) =>
      (tier === undefined || row.tier === tier) &&
      (owner === undefined || row.owner === owner) &&
      (tag === undefined || row.tags?.includes(tag) === true) &&
      (only?.(row) ?? true) &&
      words.every((word) => hasWord(row, word)),
  )
}

function hasWord(
  { key, description = '', owner = '', tags = [] }: MatrixKey,
  word: string,
): boolean {
  return [key, description, owner, ...tags].some((text) => text.toLowerCase().includes(word))
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
