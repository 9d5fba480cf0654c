import { createFileChanges, type FileChanges } from './file-changes.ts'
import type { SnapshotKey } from '../cache/published.ts'
import type { SaveBatcher } from './save-batcher.ts'

/** Holds the unsaved changes of every snapshot's files. */
export interface PendingChanges<Row> {
  /** Returns the changes that the next round saves, and schedules them. */
  of(snapshotKey: SnapshotKey): FileChanges<Row>
  /** Returns a version as it will be once everything is saved; `undefined` when the disk has it already. */
  find(snapshotKey: SnapshotKey, version: number): Row | 'removed' | undefined
}

/** Creates the collection for one audience, with nothing pending. */
export function createPendingChanges<Row extends { readonly version: number }>(deps: {
  readonly batcher: SaveBatcher
  /** Returns a name that is unique in the batcher. */
  readonly nameOf: (snapshotKey: SnapshotKey) => string
  readonly save: (snapshotKey: SnapshotKey, changes: FileChanges<Row>) => Promise<void>
}): PendingChanges<Row> {
  const waiting = new Map<SnapshotKey, FileChanges<Row>>()
  const saving = new Map<SnapshotKey, FileChanges<Row>>()
  /** Holds those that wait to be repeated. A further change does not wait for that. */
  const failed = new Set<SnapshotKey>()
  const save = async (snapshotKey: SnapshotKey): Promise<void> => {
    const changes = waiting.get(snapshotKey)
    if (changes === undefined) return
    waiting.delete(snapshotKey)
    failed.delete(snapshotKey)
    saving.set(snapshotKey, changes)
    try {
      await deps.save(snapshotKey, changes)
    } catch (error) {
      // The save is repeated, with what has come meanwhile.
      const later = waiting.get(snapshotKey)
      if (later !== undefined) changes.add(later)
      waiting.set(snapshotKey, changes)
      failed.add(snapshotKey)
      throw error
    } finally {
      saving.delete(snapshotKey)
    }
  }
  return {
    of(snapshotKey) {
      const known = waiting.get(snapshotKey)
      if (known !== undefined && !failed.delete(snapshotKey)) return known
      const changes = known ?? createFileChanges<Row>()
      waiting.set(snapshotKey, changes)
      deps.batcher.schedule(deps.nameOf(snapshotKey), () => save(snapshotKey))
      return changes
    },
    find: (snapshotKey, version) =>
      waiting.get(snapshotKey)?.find(version) ?? saving.get(snapshotKey)?.find(version),
  }
}
