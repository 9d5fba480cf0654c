import type { Tier } from '@signalbox/contract'
import type { MatrixKey } from '../matrix.ts'

/** Describes which keys of a matrix are shown. */
export interface RowFilter {
  /** Words that the name or the description has, whatever their case. */
  readonly text: string
  readonly tier: Tier | undefined
  /** Only keys of which this holds. */
  readonly only: ((row: MatrixKey) => boolean) | undefined
}

/** Returns the keys that a filter lets through. */
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

/** Returns whether a key is missing somewhere or not the same everywhere. */
export function isUneven({ drift, cells }: MatrixKey): boolean {
  return drift === true || cells.some(({ source }) => source === 'missing')
}
