import { limits } from '@signalbox/contract'

/** What is to become of the files of a pair. It is asked before they are, until it has become of them. */
export interface PairChanges<Row> {
  /** The version that is to be written, `'removed'` when it is to go, `undefined` when nothing is said of it. */
  find(version: number): Row | 'removed' | undefined
  /** Of several versions only the newest is written: those between were current for less than a round. */
  keep(row: Row): void
  removeAll(): void
  removeBefore(oldest: number): void
  /** Whether everything there was before is to go. */
  isEmptied(): boolean
  row(): Row | undefined
  /** Versions before it are to go. */
  oldest(): number
}

export function createPairChanges<Row extends { readonly version: number }>(): PairChanges<Row> {
  let kept: Row | undefined
  let emptied = false
  let oldest = 0
  return {
    find(version) {
      if (kept?.version === version) return kept
      return emptied || version < oldest ? 'removed' : undefined
    },
    keep(row) {
      if (row.version < oldest || row.version < (kept?.version ?? 0)) return
      kept = row
      oldest = Math.max(oldest, row.version - limits.snapshotVersionsKept + 1)
    },
    removeAll() {
      kept = undefined
      emptied = true
      oldest = 0
    },
    removeBefore(version) {
      oldest = Math.max(oldest, version)
      if (kept !== undefined && kept.version < oldest) kept = undefined
    },
    isEmptied: () => emptied,
    row: () => kept,
    oldest: () => oldest,
  }
}
