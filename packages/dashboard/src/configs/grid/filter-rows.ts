import type { Tier } from '@signalbox/contract'
import type { MatrixKey } from '../matrix.ts'

/** Which keys of a matrix are shown. */
export interface RowFilter {
  /** Words that the name or the description has, whatever their case. */
  readonly text: string
  readonly tier: Tier | undefined
  /** Only keys that are missing somewhere or not the same everywhere. */
  readonly onlyUneven: boolean
}

export function filterRows(keys: readonly MatrixKey[], filter: RowFilter): readonly MatrixKey[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && filter.tier === undefined && !filter.onlyUneven) return keys
  return keys.filter(
    (row) =>
      (filter.tier === undefined || row.tier === filter.tier) &&
      (!filter.onlyUneven || isUneven(row)) &&
      words.every((word) => hasWord(row, word)),
  )
}

function hasWord({ key, description }: MatrixKey, word: string): boolean {
  return key.toLowerCase().includes(word) || description?.toLowerCase().includes(word) === true
}

function isUneven({ drift, cells }: MatrixKey): boolean {
  return drift === true || cells.some(({ source }) => source === 'missing')
}
