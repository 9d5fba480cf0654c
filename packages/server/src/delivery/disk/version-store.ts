import type { SnapshotKey, Published } from '../cache/published.ts'
import type { VersionRef } from '../cache/rows.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'

/** Finds versions before the current one, which are not in memory. */
export interface VersionStore<Row> {
  /** Returns the version, or `undefined` when it is on no disk and in no database. */
  find(snapshotKey: SnapshotKey, version: number): Promise<Row | undefined>
}

const missesMax = 10_000

/**
 * Creates a lookup of older versions. It reads the disk first, and then the database once for each version this node
 * never had. Only the last twenty versions of a snapshot can be asked for, so no caller can load the database.
 */
export function createVersionStore<Row extends Published>(
  snapshots: SnapshotStore<Published>,
  files: VersionStore<Row> & { keep(row: Row): void },
  rowsOf: (versions: readonly VersionRef[]) => Promise<readonly Row[]>,
): VersionStore<Row> {
  const misses = new Set<string>()
  const fetch = async (snapshotKey: SnapshotKey, version: number): Promise<Row | undefined> => {
    const name = `${snapshotKey}/${version}`
    const current = snapshots.find(snapshotKey)
    if (current === undefined || misses.has(name)) return undefined
    const rows = await rowsOf([{ ...current, version }]).catch(() => undefined)
    const row = rows?.[0]
    if (row !== undefined) {
      files.keep(row)
      return row
    }
    if (misses.size >= missesMax) misses.clear()
    // A failed query says nothing about whether the version exists.
    if (rows !== undefined) misses.add(name)
    return undefined
  }
  return {
    find: async (snapshotKey, version) =>
      (await files.find(snapshotKey, version)) ?? fetch(snapshotKey, version),
  }
}
