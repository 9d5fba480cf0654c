import { limits } from '@signalbox/contract'

/**
 * Collects the pending changes of the files of one snapshot. Reads consult it before the disk until the changes are
 * saved.
 */
export interface FileChanges<Row> {
  /**
   * Returns the row that will be written for `version`, `'removed'` when its file will go, `undefined` when the disk
   * decides.
   */
  find(version: number): Row | 'removed' | undefined
  /**
   * Schedules a write. Of several versions only the newest is written: the others were current for less than a round.
   */
  keep(row: Row): void
  removeAll(): void
  removeBefore(oldest: number): void
  /** Adds changes that came after these. */
  add(later: FileChanges<Row>): void
  /** Returns whether all earlier files will be removed. */
  isEmptied(): boolean
  row(): Row | undefined
  /** Returns the oldest version that stays. */
  oldest(): number
}

/** Creates an empty collection of changes. */
export function createFileChanges<Row extends { readonly version: number }>(): FileChanges<Row> {
  let newest: Row | undefined
  let emptied = false
  let oldest = 0
  const removeAll = () => {
    newest = undefined
    emptied = true
    oldest = 0
  }
  const keep = (row: Row) => {
    if (row.version < oldest || row.version < (newest?.version ?? 0)) return
    newest = row
    oldest = Math.max(oldest, row.version - limits.snapshotVersionsKept + 1)
  }
  const removeBefore = (version: number) => {
    oldest = Math.max(oldest, version)
    if (newest !== undefined && newest.version < oldest) newest = undefined
  }
  return {
    find(version) {
      if (newest?.version === version) return newest
      return emptied || version < oldest ? 'removed' : undefined
    },
    keep,
    removeAll,
    removeBefore,
    add(later) {
      if (later.isEmptied()) removeAll()
      const row = later.row()
      if (row !== undefined) keep(row)
      removeBefore(later.oldest())
    },
    isEmptied: () => emptied,
    row: () => newest,
    oldest: () => oldest,
  }
}
